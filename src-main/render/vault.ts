import type { InLocale } from '../common/i18n/locale.ts';
import type { VaultFile } from '../contract/model/export.ts';
import type { StoredItem } from '../contract/model/item.ts';
import type { NamedNote, NoteKey } from '../contract/model/note.ts';
import { createDocument, exportAudience, fact, headingOf, type Origin, webAddress } from './document.ts';
import { itemDocument } from './item.ts';
import { feedTime, laterOf } from './outputs/feed.ts';
import { toFrontMatter, toMarkdown, toMarkdownNote } from './outputs/markdown.ts';

interface Subject {
  item: StoredItem | null;
  note: NamedNote | null;
}

/** Takes what the note keeps of its subject for an item that is gone, a story and a report. */
export function vaultFile(key: NoteKey, { item, note }: Subject, by: InLocale & Origin): VaultFile {
  const { title = '', link = null, source = '' } = note ?? {};
  const named = createDocument({ title: title.trim() === '' ? key.id : title, link, facts: fact(source) });
  const document = item ? itemDocument(item, exportAudience(by)) : named;
  const id = by.idOf(by.service, key.kind, key.id);
  const heading = headingOf(document);
  const head = toFrontMatter({
    'broadsheet-id': id,
    title: heading,
    'original-title': item?.originalTitle?.trim() || null,
    address: webAddress(document.link),
    page: webAddress(item?.links.aihot),
    source: (item ? item.source.name : source)?.trim() || null,
    category: item?.category ?? null,
    published: feedTime(item?.publishedAt ?? null),
    updated: item && laterOf(feedTime(item.revisedAt), feedTime(item.effectiveAt)),
    starred: item !== null && item.state.starredAt !== null,
    'starred-at': item?.state.starredAt ?? null,
    'noted-at': note?.changedAt ?? null,
    kind: key.kind,
    id: key.id,
    service: by.service,
  });
  const body = toMarkdown(document, by);
  return {
    id,
    name: fileNameOf(heading, id.slice(-8)),
    text: `${head}\n${body}${note ? `\n${toMarkdownNote(note.text, by)}` : ''}`,
  };
}

/** In UTF-8. With the end, and the rest of an unfinished file's name, it fits into the 143 bytes of encrypted folders. */
const MAX_BYTES = 80;
/** Devices of Windows, whatever follows the dot. */
const RESERVED = /^(?=(?:con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*\.)/i;
/** Including what Obsidian refuses in links, and what macOS refuses as not assigned. */
const UNSAFE = /[\p{C}\p{Z}\s<>:"/\\|?*#^[\]%]+/gu;

/** Returns a name that is valid on every system. `end` tells titles apart that become equal. */
function fileNameOf(title: string, end: string): string {
  const clean = title
    .normalize('NFC')
    .replace(UNSAFE, ' ')
    .replace(/^[ .~-]+/, '')
    .replace(RESERVED, '_');
  let start = '';
  let bytes = 0;
  for (const character of clean) {
    bytes += new TextEncoder().encode(character).length;
    if (bytes > MAX_BYTES) break;
    start += character;
  }
  return `${[start.replace(/[ .]+$/, ''), end].filter(Boolean).join(' ')}.md`;
}
