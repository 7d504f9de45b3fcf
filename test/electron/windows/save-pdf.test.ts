import { describe, expect, it } from 'vitest';
import { pdfName } from '../../../src-main/electron/windows/save-pdf.ts';

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
