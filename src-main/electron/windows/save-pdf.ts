import { extname } from 'node:path';
import { dialog, type PrintToPDFOptions } from 'electron';
import { BroadsheetError } from '../../contract/errors.ts';
import type { OpenWindow } from './windows.ts';
import { explainWriteError, writeAtomically } from '../../core/files/atomic-write.ts';
import { fileToWrite } from '../../core/files/chosen-file.ts';
import { defaultDataFolder } from '../../core/files/data-folder.ts';

const PAPER: PrintToPDFOptions = {
  // The print style sets the margins but no size, so that the user can choose the paper.
  pageSize: 'A4',
  preferCSSPageSize: true,
  printBackground: true,
  generateTaggedPDF: true,
  generateDocumentOutline: true,
};

const MAX_NAME = 80;

/** Prints before the dialog opens, so that the file shows the page as it was. */
export async function savePdf(
  window: OpenWindow | null,
  { name, dataFolder }: { name: string; dataFolder: string },
): Promise<{ saved: boolean }> {
  if (!window || window.isDestroyed()) throw closedWindow();
  // Fails if the window closes while printing, with an error that explains nothing.
  const pdf = await window.webContents.printToPDF(PAPER).catch((cause: unknown) => {
    throw window.isDestroyed() ? closedWindow() : cause;
  });
  if (window.isDestroyed()) throw closedWindow();
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: name,
    defaultPath: name,
    filters: [{ name: 'PDF', extensions: ['pdf'] }],
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
  if (canceled || filePath === '') return { saved: false };
  try {
    const file = await pdfToWrite(filePath, [dataFolder, defaultDataFolder(process.env)]);
    await writeAtomically(file, pdf, { keepsMode: true });
  } catch (cause) {
    throw explainWriteError(filePath, cause);
  }
  return { saved: true };
}

/** Resolves the path to write. None of Broadsheet's own files is a PDF, so one may lie beside them. */
async function pdfToWrite(named: string, ownFolders: readonly string[]): Promise<string> {
  const file = await fileToWrite(named, []);
  return extname(file).toLowerCase() === '.pdf' ? file : fileToWrite(named, ownFolders);
}

function closedWindow(): BroadsheetError {
  return new BroadsheetError('closed', 'The window has been closed, so its page cannot be saved.');
}

/** A window title starts with the unread count and may contain text from the service. */
export function pdfName(title: string): string {
  const name = title
    .replace(/^\(\d+\)/, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*\s]+/gu, ' ')
    .replace(/^[. ]+/, '');
  return `${
    Array.from(name)
      .slice(0, MAX_NAME)
      .join('')
      .replace(/[. ]+$/, '') || 'Broadsheet'
  }.pdf`;
}
