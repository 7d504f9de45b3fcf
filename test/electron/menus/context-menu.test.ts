import { describe, expect, it } from 'vitest';
import { markdownLink, contextMenuTemplate, type Clicked } from '../../../src-main/electron/menus/menu-template.ts';
import { inLocale } from '../../support/locale.ts';

const NOTHING: Clicked = {
  linkURL: '',
  linkText: '',
  selectionText: '',
  isEditable: false,
  editFlags: { canCut: false, canCopy: false, canPaste: false, canSelectAll: true },
};
const LINK = { linkURL: 'https://example.com/a', linkText: 'A report' };

function menu(clicked: Partial<Clicked>, platform: NodeJS.Platform = 'linux') {
  const did: unknown[][] = [];
  const template = contextMenuTemplate(
    { ...NOTHING, ...clicked },
    { platform },
    {
      copy: (text) => did.push(['copy', text]),
      openLink: (url) => did.push(['openLink', url]),
      lookUp: () => did.push(['lookUp']),
    },
  );
  const names = template.map(({ id, role, type }) => id ?? role ?? type);
  const choose = (id: string) => template.find((item) => item.id === id)?.click?.({} as never, undefined, {});
  return { template, names, choose, did };
}

describe('the context menu', () => {
  it.each<[string, Partial<Clicked>, NodeJS.Platform, string[]]>([
    ['nothing', {}, 'linux', ['selectAll']],
    ['nothing selectable', { editFlags: { ...NOTHING.editFlags, canSelectAll: false } }, 'linux', []],
    ['a selection', { selectionText: 'a word' }, 'win32', ['copy', 'selectAll']],
    ['a selection of spaces', { selectionText: ' \n' }, 'linux', ['selectAll']],
    ['a selection on macOS', { selectionText: 'a word' }, 'darwin', ['lookUp', 'separator', 'copy', 'selectAll']],
    ['a field', { isEditable: true }, 'linux', ['cut', 'copy', 'paste', 'selectAll']],
    ['a field on macOS', { isEditable: true, selectionText: 'a' }, 'darwin', ['cut', 'copy', 'paste', 'selectAll']],
    ['a link', LINK, 'linux', ['openLink', 'copyLink', 'copyCitation', 'separator', 'selectAll']],
    [
      'a selection that contains a link',
      { ...LINK, selectionText: 'A report' },
      'linux',
      ['openLink', 'copyLink', 'copyCitation', 'separator', 'copy', 'selectAll'],
    ],
    ['a link within the page', { linkURL: 'app://broadsheet/index.html#feed-list' }, 'linux', ['selectAll']],
    ['an invalid link', { linkURL: 'javascript:alert(1)', linkText: 'x' }, 'linux', ['selectAll']],
    ['a link to a file', { linkURL: 'file:///etc/passwd', linkText: 'x' }, 'linux', ['selectAll']],
    ['a link with a user name', { linkURL: 'https://a@b.example/', linkText: 'x' }, 'linux', ['selectAll']],
  ])('for %s', (_what, clicked, platform, names) => {
    expect(menu(clicked, platform).names).toEqual(names);
  });

  it('offers only what is possible', () => {
    const { template } = menu({ isEditable: true, editFlags: { ...NOTHING.editFlags, canPaste: true } });
    expect(template.filter(({ enabled }) => enabled).map(({ role }) => role)).toEqual(['paste', 'selectAll']);
  });

  it('copies a link, copies it as Markdown, opens it in the browser', () => {
    const { choose, did } = menu(LINK);
    for (const id of ['copyLink', 'copyCitation', 'openLink']) choose(id);
    expect(did).toEqual([
      ['copy', 'https://example.com/a'],
      ['copy', '[A report](https://example.com/a)'],
      ['openLink', 'https://example.com/a'],
    ]);
  });

  it('looks up a selection, and shows the start of it', () => {
    const { template, choose, did } = menu({ selectionText: `R&D ${'研究'.repeat(30)}` }, 'darwin');
    expect(template[0]?.label).toBe(`Look Up “R&&D ${'研究'.repeat(10)}…”`);
    choose('lookUp');
    expect(did).toEqual([['lookUp']]);
  });

  it('uses the interface language', () => {
    expect(inLocale('zh-CN', () => menu(LINK, 'linux')).template.map(({ label }) => label)).toEqual([
      '在浏览器中打开链接',
      '复制链接',
      '复制为 Markdown 引用',
      undefined,
      '全选',
    ]);
  });
});

describe('a Markdown link', () => {
  it.each([
    ['A report', 'https://example.com/a', '[A report](https://example.com/a)'],
    ['  Two\n lines ', 'https://example.com/', '[Two lines](https://example.com/)'],
    [
      'a [b] *c* _d_ `e` \\ <f>',
      'https://x.example/',
      '[a \\[b\\] \\*c\\* \\_d\\_ \\`e\\` \\\\ \\<f\\>](https://x.example/)',
    ],
    ['维基', 'https://x.example/a_(b)', '[维基](https://x.example/a_%28b%29)'],
    ['', 'https://x.example/a', '[https://x.example/a](https://x.example/a)'],
  ])('of %j', (title, address, markdown) => {
    expect(markdownLink(title, address)).toBe(markdown);
  });
});
