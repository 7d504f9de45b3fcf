import { counted } from '../../../common/numbers.ts';
import { nameKey } from '../../../common/text.ts';
import { BroadsheetError } from '../../../contract/errors.ts';
import type { MuteRule, SavedSearch } from '../../../contract/model/rules.ts';
import type { Wire } from '../../../contract/wire.ts';
import type { Invocation } from '../../invocation.ts';
import { call, openCore } from '../../open-core.ts';
import { EXIT, UsageError, type ExitCode } from '../../shell.ts';
import { bold, dim, line, type Text } from '../../styled-text.ts';
import { jsonLine } from '../../terminal.ts';
import { writeList } from '../reading.ts';

/** In the reader's order. */
export function listSaved(invocation: Invocation): Promise<ExitCode> {
  return writeList<SavedSearch>(invocation, {
    read: async (wire) => (await call(wire, 'saved.list', {})).searches,
    format: savedLine,
    empty: 'No saved searches.',
  });
}

export function addSaved(
  invocation: Invocation,
  given: { name: string; query: string; notify: boolean },
): Promise<ExitCode> {
  return write(invocation, async (wire) => {
    const { id } = await call(wire, 'saved.add', given);
    await matched(wire);
    const { searches } = await call(wire, 'saved.list', {});
    return searches.filter((one) => one.id === id).map((one) => print(invocation, one, savedLine(one)));
  });
}

/** What a command changes of a saved search; `place` counts from 1. */
export interface SavedChange {
  name?: string;
  query?: string;
  notify?: boolean;
  place?: number;
}

/** Errors: `not_found`, and those of a name or query that can't be used. */
export function changeSaved(
  invocation: Invocation,
  name: string,
  { place, ...change }: SavedChange,
): Promise<ExitCode> {
  if (place === undefined && Object.keys(change).length === 0) {
    throw new UsageError('nothing to change: see saved change --help');
  }
  return write(invocation, async (wire) => {
    const { id } = await searchNamed(wire, name);
    if (Object.keys(change).length > 0) await call(wire, 'saved.change', { id, ...change });
    if (place !== undefined) await call(wire, 'saved.move', { id, to: place - 1 });
    await matched(wire);
    const { searches } = await call(wire, 'saved.list', {});
    return searches.filter((one) => one.id === id).map((one) => print(invocation, one, savedLine(one)));
  });
}

/** Errors: `not_found`. */
export function removeSaved(invocation: Invocation, name: string): Promise<ExitCode> {
  return write(invocation, async (wire) => {
    const found = await searchNamed(wire, name);
    await call(wire, 'saved.remove', { id: found.id });
    return [print(invocation, { removed: found.id }, 'Saved search removed')];
  });
}

/** Newest first. */
export function listMutes(invocation: Invocation): Promise<ExitCode> {
  return writeList<MuteRule>(invocation, {
    read: async (wire) => (await call(wire, 'mutes.list', {})).rules,
    format: muteLine,
    empty: 'No mute rules.',
  });
}

export function addMute(invocation: Invocation, query: string): Promise<ExitCode> {
  return write(invocation, async (wire) => {
    const { id, added } = await call(wire, 'mutes.add', { query });
    await matched(wire);
    const { rules } = await call(wire, 'mutes.list', {});
    const said = (one: MuteRule): Text => (added ? muteLine(one) : line`Already muted: ${muteLine(one)}`);
    return rules.filter((one) => one.id === id).map((one) => print(invocation, one, said(one)));
  });
}

/** Errors: `not_found`. */
export function removeMute(invocation: Invocation, id: string): Promise<ExitCode> {
  if (!/^[0-9a-zA-Z-]+$/.test(id)) throw new UsageError(`argument 'id' is not the id of a rule: see mute list`);
  return write(invocation, async (wire) => {
    const { rules } = await call(wire, 'mutes.list', {});
    if (!rules.some((one) => one.id === id)) throw new BroadsheetError('not_found', `There is no mute rule ${id}.`);
    await call(wire, 'mutes.remove', { id });
    await matched(wire);
    return [print(invocation, { removed: id }, 'Mute rule removed')];
  });
}

/** The saved search with this name. Errors: `not_found`. */
export async function searchNamed(wire: Wire, name: string): Promise<SavedSearch> {
  const { searches } = await call(wire, 'saved.list', {});
  const found = searches.find((one) => nameKey(one.name) === nameKey(name)) ?? searches.find(({ id }) => id === name);
  if (found) return found;
  throw new BroadsheetError('not_found', `There is no saved search named “${name}”: see saved list.`);
}

async function write(invocation: Invocation, work: (wire: Wire) => Promise<Text[]>): Promise<ExitCode> {
  const opened = await openCore(invocation, { fetches: false, waits: true });
  const said = await work(opened.wire).finally(opened.close);
  for (const text of said) await invocation.shell.out.line(text);
  return EXIT.well;
}

/** Waits until all saved items are matched, so that the next command sees the result. */
async function matched(wire: Wire): Promise<void> {
  let end = (): void => undefined;
  const done = new Promise<void>((resolve) => {
    end = wire.on('rules.changed', ({ progress }) => {
      if (progress === null) resolve();
    });
  });
  try {
    const { progress } = await call(wire, 'mutes.list', {});
    if (progress !== null) await done;
  } finally {
    end();
  }
}

function print({ json }: Invocation, value: unknown, text: Text): Text {
  return json ? jsonLine(value) : text;
}

function savedLine({ name, query, notify, count, problem }: SavedSearch): Text {
  const numbers = `${counted(count.total, 'item')}, ${String(count.unread)} unread`;
  return line`${bold(name)}: ${query} (${problem?.message ?? numbers}${notify ? ', notifies' : ''})`;
}

function muteLine({ id, query, hides, problem }: MuteRule): Text {
  return line`${bold(query)} (${problem?.message ?? counted(hides, 'item')}) ${dim(`[${id}]`)}`;
}
