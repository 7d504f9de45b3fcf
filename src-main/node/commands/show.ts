import type { StoredItem } from '../../contract/model/item.ts';
import type { Invocation } from '../invocation.ts';
import { call } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { bold, lines, type Text } from '../styled-text.ts';
import { localTime, severalLines } from '../terminal.ts';
import { itemAsJson } from './json-names.ts';
import { factLines, writeOne } from './reading.ts';

/** Prints a saved item in full. Errors: `not_found`. */
export function showItem(invocation: Invocation, id: string): Promise<ExitCode> {
  return writeOne(invocation, {
    read: (wire) => call(wire, 'items.get', { id }),
    format: itemText,
    asJson: itemAsJson,
  });
}

function itemText(item: StoredItem): Text {
  const summary = item.summary === null ? [] : ['', severalLines(item.summary)];
  return lines([bold(item.title), ...factLines(factsOf(item)), ...summary]);
}

function factsOf(item: StoredItem): [name: string, value: string | null][] {
  const { readAt, starredAt } = item.state;
  return [
    ['Original', item.originalTitle],
    ['Source', item.source.name],
    ['Published', item.publishedAt && localTime(item.publishedAt)],
    ['Discovered', item.discoveredAt && localTime(item.discoveredAt)],
    ['Updated', item.revisedAt && localTime(item.revisedAt)],
    ['Category', item.category],
    ['Score', item.score === null ? null : String(item.score)],
    ['Selected', selectedText(item)],
    ['Reason', item.reason],
    ['Attribution', attributionText(item)],
    ['Link', item.links.original],
    ['Page', item.links.aihot],
    ['State', `${readAt === null ? 'unread' : 'read'}${starredAt === null ? '' : ', starred'}`],
    ['Id', item.id],
  ];
}

function selectedText({ inSelectedSet, leftSelectionAt }: StoredItem): string {
  if (inSelectedSet) return 'yes';
  return leftSelectionAt === null ? 'no' : `no, left ${localTime(leftSelectionAt)}`;
}

function attributionText({ attribution }: StoredItem): string | null {
  const parts = [attribution?.name, attribution?.url].filter((part) => typeof part === 'string');
  return parts.length === 0 ? null : parts.join(' ');
}
