import { setImmediate as nextTurn } from 'node:timers/promises';
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { pdfName, savePdf } from '../../../src-main/electron/windows/save-pdf.ts';
import { becomeReady, BrowserWindow, PRINTED } from '../fake/electron.ts';

/** Linux replaces a file without a question otherwise. */
const ASKS = 'showOverwriteConfirmation';

describe('a PDF of a window', () => {
  beforeAll(becomeReady);

  it.each([
    ['before printing', 'before'],
    ['while its page is printed', 'failing'],
    ['once its page has been printed', 'printed'],
  ])('that closes %s fails with the reason, without a dialog', async (_when, when) => {
    const window = new BrowserWindow();
    const end = async (): Promise<void> => {
      window.close();
      await nextTurn();
    };
    vi.spyOn(window.webContents, 'printToPDF').mockImplementation(async () => {
      await end();
      if (when === 'failing') throw new Error('Failed to generate PDF: Printing is disabled');
      return PRINTED;
    });
    if (when === 'before') await end();
    const showSaveDialog = vi.fn(() => Promise.reject(new TypeError('Object has been destroyed')));
    await expect(
      savePdf(window as never, { showSaveDialog }, { name: 'a.pdf', dataFolder: '/' }),
    ).rejects.toMatchObject({ code: 'closed' });
    expect(showSaveDialog).not.toHaveBeenCalled();
  });

  it('replaces no file of Broadsheet, also through a link that is called a PDF', async () => {
    const dataFolder = await mkdtemp(join(tmpdir(), 'broadsheet-pdf-'));
    onTestFinished(() => rm(dataFolder, { recursive: true }));
    const own = join(dataFolder, 'user.db');
    await writeFile(own, 'stars');
    await symlink(own, join(dataFolder, 'link.pdf'));
    const saveAs = (name: string): Promise<unknown> =>
      savePdf(
        new BrowserWindow() as never,
        { showSaveDialog: () => Promise.resolve({ canceled: false, filePath: join(dataFolder, name) }) },
        { name: 'a.pdf', dataFolder },
      );
    for (const name of ['user.db', 'link.pdf', 'new.db', 'pdf'])
      await expect(saveAs(name)).rejects.toMatchObject({ code: 'file_refused' });
    await expect(saveAs('page.PDF')).resolves.toEqual({ saved: true });
    expect(await readFile(own, 'utf8')).toBe('stars');
    expect((await readdir(dataFolder)).sort()).toEqual(['link.pdf', 'page.PDF', 'user.db']);
  });

  it('is printed on A4 unless the page says otherwise, and not saved if the user cancels', async () => {
    const window = new BrowserWindow();
    const print = vi.spyOn(window.webContents, 'printToPDF');
    const showSaveDialog = vi.fn(async () => ({ canceled: true, filePath: '' }));
    const saved = savePdf(window as never, { showSaveDialog }, { name: 'a.pdf', dataFolder: '/' });
    expect(await saved).toEqual({ saved: false });
    expect(print.mock.lastCall).toMatchObject([{ pageSize: 'A4', preferCSSPageSize: true, printBackground: true }]);
    expect(showSaveDialog.mock.lastCall).toMatchObject([
      window,
      {
        defaultPath: 'a.pdf',
        filters: [{ extensions: ['pdf'] }],
        properties: expect.arrayContaining([ASKS]) as unknown,
      },
    ]);
  });

  it('passes on another failure', async () => {
    const window = new BrowserWindow();
    vi.spyOn(window.webContents, 'printToPDF').mockRejectedValue(new Error('no printer'));
    await expect(savePdf(window as never, {} as never, { name: 'a.pdf', dataFolder: '/' })).rejects.toThrow(
      'no printer',
    );
  });
});

describe('the file name of a PDF', () => {
  it.each([
    ['Broadsheet', 'Broadsheet.pdf'],
    ['(12) Broadsheet', 'Broadsheet.pdf'],
    ['(1,200) Broadsheet', '(1,200) Broadsheet.pdf'],
    ['Daily 2026-11-20: Chips / contracts?', 'Daily 2026-11-20 Chips contracts.pdf'],
    ['日报 2026-11-20', '日报 2026-11-20.pdf'],
    ['../../../.bashrc', 'bashrc.pdf'],
    ['a\u202egpj.exe\n\u0000b', 'a gpj.exe b.pdf'],
    ['\ud800', 'Broadsheet.pdf'],
    ['... ', 'Broadsheet.pdf'],
    ['', 'Broadsheet.pdf'],
    ['长'.repeat(200), `${'长'.repeat(80)}.pdf`],
  ])('for a window called %j is %s', (title, name) => {
    expect(pdfName(title)).toBe(name);
  });
});
