import type { ContextMenuParams, EditFlags, MenuItemConstructorOptions } from 'electron';
import { safeLink } from '../../contract/addresses.ts';
import type { HostWords } from '../../words/words.ts';

/** The part of Electron's parameters that the menu uses. */
export type Clicked = Pick<ContextMenuParams, 'linkURL' | 'linkText' | 'selectionText' | 'isEditable'> & {
  editFlags: Pick<EditFlags, 'canCut' | 'canCopy' | 'canPaste' | 'canSelectAll'>;
};

export interface ContextMenuActions {
  copy(text: string): void;
  openLink(url: string): void;
  lookUp(): void;
}

type Item = MenuItemConstructorOptions;

const LINE: Item = { type: 'separator' };
/** Of the selection in "Look up", in characters. */
const MAX_EXCERPT = 24;

/** The context menu; empty if nothing applies. */
export function contextMenuTemplate(
  clicked: Clicked,
  { platform, words }: { platform: NodeJS.Platform; words: HostWords },
  actions: ContextMenuActions,
): Item[] {
  const groups = [
    linkGroup(clicked, words, actions),
    platform === 'darwin' ? lookUpGroup(clicked, words, actions) : [],
    editGroup(clicked, words.menu),
  ];
  return groups.filter((group) => group.length > 0).flatMap((group, index) => (index === 0 ? group : [LINE, ...group]));
}

function linkGroup({ linkURL, linkText }: Clicked, { contextMenu }: HostWords, actions: ContextMenuActions): Item[] {
  const link = safeLink(linkURL);
  if (link === null) return [];
  return [
    { id: 'openLink', label: contextMenu.openLink, click: () => actions.openLink(link) },
    { id: 'copyLink', label: contextMenu.copyLink, click: () => actions.copy(link) },
    { id: 'copyCitation', label: contextMenu.copyCitation, click: () => actions.copy(markdownLink(linkText, link)) },
  ];
}

function lookUpGroup(
  { selectionText, isEditable }: Clicked,
  { contextMenu }: HostWords,
  actions: ContextMenuActions,
): Item[] {
  const text = selectionText.replace(/\s+/g, ' ').trim();
  if (text === '' || isEditable) return [];
  const characters = Array.from(text);
  const excerpt = characters.length > MAX_EXCERPT ? `${characters.slice(0, MAX_EXCERPT).join('')}…` : text;
  // `&` marks an access key in menus.
  return [{ id: 'lookUp', label: contextMenu.lookUp(excerpt).replaceAll('&', '&&'), click: () => actions.lookUp() }];
}

function editGroup({ isEditable, selectionText, editFlags }: Clicked, menu: HostWords['menu']): Item[] {
  const selectAll: Item = { role: 'selectAll', label: menu.selectAll, enabled: editFlags.canSelectAll };
  const copy: Item = { role: 'copy', label: menu.copy, enabled: editFlags.canCopy };
  if (isEditable) {
    return [
      { role: 'cut', label: menu.cut, enabled: editFlags.canCut },
      copy,
      { role: 'paste', label: menu.paste, enabled: editFlags.canPaste },
      selectAll,
    ];
  }
  const isSelected = selectionText.trim() !== '';
  if (isSelected) return [copy, selectAll];
  return editFlags.canSelectAll ? [selectAll] : [];
}

/** `[title](address)` in Markdown: on one line, with special characters of the title escaped. */
export function markdownLink(title: string, address: string): string {
  const line = title.replace(/\s+/g, ' ').trim();
  const text = (line || address).replace(/[\\`*_[\]<>]/g, '\\$&');
  return `[${text}](${address.replaceAll('(', '%28').replaceAll(')', '%29')})`;
}
