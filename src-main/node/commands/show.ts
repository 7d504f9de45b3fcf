import { BroadsheetError } from '../../contract/errors.ts';
import type { StoredItem } from '../../contract/model.ts';
import type { Invocation } from '../invocation.ts';
import { ask, openReadingCore } from '../open_core.ts';
import { EXIT } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { jsonLine, localTime, oneLine, severalLines } from '../terminal.ts';

/** One stored item in full. Errors: `not_found`. */
export async function showItem(invocation: Invocation, id: string): Promise<ExitCode> {
  const opened = await openReadingCore(invocation);
  if (!opened) {
    throw new BroadsheetError('not_found', `Nothing stored yet in ${invocation.dataFolder}: run \`broadsheet sync\`.`);
  }
  try {
    const item = await ask(opened.wire, 'items.get', { id });
    await invocation.shell.out.line(invocation.json ? jsonLine(item) : itemInWords(item));
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

function itemInWords(item: StoredItem): string {
  const facts = factsOf(item).filter((fact): fact is [string, string] => fact[1] !== null);
  const lines = facts.map(([name, value]) => `${name.padEnd(12)} ${oneLine(value)}`);
  const summary = item.summary === null ? [] : ['', severalLines(item.summary)];
  return [oneLine(item.title), ...lines, ...summary].join('\n');
}

function factsOf(item: StoredItem): [name: string, value: string | null][] {
  const { readAt, starredAt } = item.state;
  return [
    ['Original', item.originalTitle],
    ['Source', item.source.name],
    ['Published', item.publishedAt && localTime(item.publishedAt)],
    ['Discovered', item.discoveredAt && localTime(item.discoveredAt)],
    ['Revised', item.revisedAt && localTime(item.revisedAt)],
    ['Category', item.category],
    ['Score', item.score === null ? null : String(item.score)],
    ['Selected', item.inSelectedSet ? 'yes' : 'no'],
    ['Reason', item.reason],
    ['Attribution', attributionInWords(item)],
    ['Link', item.links.original],
    ['Page', item.links.aihot],
    ['State', `${readAt === null ? 'unread' : 'read'}${starredAt === null ? '' : ', starred'}`],
    ['Id', item.id],
  ];
}

function attributionInWords({ attribution }: StoredItem): string | null {
  const parts = [attribution?.name, attribution?.url].filter((part) => typeof part === 'string');
  return parts.length === 0 ? null : parts.join(' ');
}
