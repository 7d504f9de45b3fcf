import { setImmediate as nextTurn } from 'node:timers/promises';
import { readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pdfName, savePdf } from '../../../src-main/electron/windows/save-pdf.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { becomeReady, BrowserWindow, PRINTED, user } from '../fake/electron.ts';
import { record } from '../fake/records.ts';

/** Linux replaces a file without a question otherwise. */
const ASKS = 'showOverwriteConfirmation';

describe('a PDF of a window', () => {
  beforeAll(becomeReady);
  beforeEach(() => void (record.asked.length = 0));

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
    await expect(savePdf(window as never, { name: 'a.pdf', dataFolder: '/' })).rejects.toMatchObject({
      code: 'closed',
    });
    expect(record.asked).toEqual([]);
  });

  it('replaces no file of Broadsheet, also through a link that is called a PDF', async () => {
    const dataFolder = temporaryFolder();
    const own = join(dataFolder, 'user.db');
    await writeFile(own, 'stars');
    await symlink(own, join(dataFolder, 'link.pdf'));
    const saveAs = (name: string): Promise<unknown> => {
      user.wantsFileAt = join(dataFolder, name);
      return savePdf(new BrowserWindow() as never, { name: 'a.pdf', dataFolder });
    };
    for (const name of ['user.db', 'link.pdf', 'new.db', 'pdf'])
      await expect(saveAs(name)).rejects.toMatchObject({ code: 'file_refused' });
    await expect(saveAs('page.PDF')).resolves.toEqual({ saved: true });
    expect(await readFile(own, 'utf8')).toBe('stars');
    expect((await readdir(dataFolder)).sort()).toEqual(['link.pdf', 'page.PDF', 'user.db']);
  });

  it('is printed on A4 unless the page says otherwise, and not saved if the user cancels', async () => {
    const window = new BrowserWindow();
    const print = vi.spyOn(window.webContents, 'printToPDF');
    user.wantsFileAt = null;
    expect(await savePdf(window as never, { name: 'a.pdf', dataFolder: '/' })).toEqual({ saved: false });
    expect(print.mock.lastCall).toMatchObject([{ pageSize: 'A4', preferCSSPageSize: true, printBackground: true }]);
    expect(record.asked).toMatchObject([
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
    await expect(savePdf(window as never, { name: 'a.pdf', dataFolder: '/' })).rejects.toThrow('no printer');
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
