import type { ContextMenuParams, EditFlags, MenuItemConstructorOptions } from 'electron';
import { m } from '../../common/i18n/messages.ts';
import { safeLink } from '../../contract/addresses.ts';

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
  { platform }: { platform: NodeJS.Platform },
  actions: ContextMenuActions,
): Item[] {
  const groups = [
    linkGroup(clicked, actions),
    platform === 'darwin' ? lookUpGroup(clicked, actions) : [],
    editGroup(clicked),
  ];
  return groups.filter((group) => group.length > 0).flatMap((group, index) => (index === 0 ? group : [LINE, ...group]));
}

function linkGroup({ linkURL, linkText }: Clicked, actions: ContextMenuActions): Item[] {
  const link = safeLink(linkURL);
  if (link === null) return [];
  return [
    { id: 'openLink', label: m.context_menu_open_link(), click: () => actions.openLink(link) },
    { id: 'copyLink', label: m.context_menu_copy_link(), click: () => actions.copy(link) },
    {
      id: 'copyCitation',
      label: m.context_menu_copy_citation(),
      click: () => actions.copy(markdownLink(linkText, link)),
    },
  ];
}

function lookUpGroup({ selectionText, isEditable }: Clicked, actions: ContextMenuActions): Item[] {
  const text = selectionText.replace(/\s+/g, ' ').trim();
  if (text === '' || isEditable) return [];
  const characters = Array.from(text);
  const excerpt = characters.length > MAX_EXCERPT ? `${characters.slice(0, MAX_EXCERPT).join('')}…` : text;
  // `&` marks an access key in menus.
  return [
    {
      id: 'lookUp',
      label: m.context_menu_look_up({ text: excerpt }).replaceAll('&', '&&'),
      click: () => actions.lookUp(),
    },
  ];
}

function editGroup({ isEditable, selectionText, editFlags }: Clicked): Item[] {
  const selectAll: Item = { role: 'selectAll', label: m.menu_select_all(), enabled: editFlags.canSelectAll };
  const copy: Item = { role: 'copy', label: m.menu_copy(), enabled: editFlags.canCopy };
  if (isEditable) {
    return [
      { role: 'cut', label: m.menu_cut(), enabled: editFlags.canCut },
      copy,
      { role: 'paste', label: m.menu_paste(), enabled: editFlags.canPaste },
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
