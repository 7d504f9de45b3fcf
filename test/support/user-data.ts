import type { UserDataFile } from '../../src-main/contract/user-data.ts';
import { SOURCE } from './store.ts';

/** `unread`: marked as unread. */
export const RECORD_KINDS = [
  ...['read', 'unread', 'star', 'withdrawn', 'follow', 'story', 'report', 'address', 'favourite', 'note', 'saved'],
  ...['mute', 'start'],
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

type Tables = UserDataFile['tables'];

export interface UserRecord {
  kind: RecordKind;
  service: unknown;
  id: string;
  value: unknown;
}

/** Lists what the reader decided, in the order of the kinds and of the export. */
export function recordsIn(tables: Tables, ...kinds: RecordKind[]): UserRecord[] {
  return kinds.flatMap((kind) => {
    const found = tables['record']?.filter((row) => kindOf(row) === kind) ?? [];
    return found.map(({ service, id, value }) => ({ kind, service, id: String(id), value }));
  });
}

function kindOf({ kind, value }: Tables[string][number]): unknown {
  return kind === 'read' && Number(value) < 0 ? 'unread' : kind;
}

export function idsIn(tables: Tables, ...kinds: RecordKind[]): string[] {
  return recordsIn(tables, ...kinds).map(({ id }) => id);
}

/** An export in which items of the tests' service are read or starred, each at the time of its place, from `first`. */
export function tablesWith(kind: 'read' | 'star', ids: readonly string[], first = 1, service = SOURCE): Tables {
  const star = (at: number): string => JSON.stringify({ at, link: null, time: null, title: '' });
  return {
    record: ids.map((id, n) => ({ kind, service, id, value: kind === 'read' ? first + n : star(first + n) })),
  };
}

export function recordsOf(kind: string, service: string, values: { [id: string]: number }): Tables {
  return { record: Object.entries(values).map(([id, value]) => ({ kind, service, id, value })) };
}

export function notesOf(service: string, ids: readonly string[], text: string): Tables {
  const record = ids.map((id, at) => ({
    ...{ kind: 'note', service, id: `item/${id}` },
    value: JSON.stringify({ text, createdAt: 1, changedAt: at + 1 }),
  }));
  return { record };
}

export function tablesOf(exported: string): Tables {
  return (JSON.parse(exported) as UserDataFile).tables;
}

export function exportOf(tables: Tables): string {
  return JSON.stringify({ format: 'broadsheet-user-data', version: 1, tables });
}
