import type { Dialog, PrintToPDFOptions } from 'electron';
import { BroadsheetError } from '../../contract/errors.ts';
import type { OpenWindow } from './page-window.ts';
import { explainWriteError, writeAtomically } from '../../core/files/atomic-write.ts';

const PAPER: PrintToPDFOptions = {
  // The margins are those of the page's print style; it names no size, so that paper stays the reader's choice.
  pageSize: 'A4',
  preferCSSPageSize: true,
  printBackground: true,
  generateTaggedPDF: true,
  generateDocumentOutline: true,
};

/** In characters; three bytes each, a file system takes it. */
const LONGEST_NAME = 80;

/**
 * What the window shows, as it would be printed, as a file where the user wants it; `saved` is false where none is wanted.
 * It is printed first, so that the file holds what was shown when it was asked for. Errors: `disk_full`,
 * `data_read_only`; `closed` where there is no window any more.
 */
export async function savePdf(
  window: OpenWindow | null,
  dialog: Pick<Dialog, 'showSaveDialog'>,
  name: string,
): Promise<{ saved: boolean }> {
  if (!window) throw new BroadsheetError('closed', 'There is no window whose page could be saved.');
  const pdf = await window.webContents.printToPDF(PAPER);
  const { canceled, filePath } = await dialog.showSaveDialog(window, {
    title: name,
    defaultPath: name,
    filters: [{ name: 'PDF', extensions: ['pdf'] }],
    properties: ['createDirectory', 'showOverwriteConfirmation'],
  });
  if (canceled || filePath === '') return { saved: false };
  try {
    await writeAtomically(filePath, pdf);
  } catch (cause) {
    throw explainWriteError(filePath, cause);
  }
  return { saved: true };
}

/** The name of a file after a window's title, which begins with how much is unread and may hold the service's own words. */
export function pdfName(title: string): string {
  const name = title
    .replace(/^\(\d+\)/, '')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*\s]+/gu, ' ')
    .replace(/^[. ]+/, '');
  return `${
    Array.from(name)
      .slice(0, LONGEST_NAME)
      .join('')
      .replace(/[. ]+$/, '') || 'Broadsheet'
  }.pdf`;
}
