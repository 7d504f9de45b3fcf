import type { UserDataFile } from '../../src-main/contract/user-data.ts';

/** Where an export has each kind of the reader's data, which only this file knows: table, id, values. */
const PLACES = {
  read: ['item_status', 'item_id', 'read_at'],
  star: ['item_status', 'item_id', 'starred_at'],
  unread: ['unread_mark', 'item_id', 'marked_at'],
  withdrawn: ['withdrawn_star', 'item_id', 'withdrawn_at'],
} as const;

type Tables = UserDataFile['tables'];
/** Those that are in the register. */
const REGISTERED = ['follow', 'story', 'report', 'address', 'favourite', 'note', 'saved', 'mute', 'start'] as const;

export type RecordKind = keyof typeof PLACES | (typeof REGISTERED)[number];

export interface UserRecord {
  kind: RecordKind;
  service: unknown;
  id: string;
  values: unknown[];
}

export const RECORD_KINDS = [...Object.keys(PLACES), ...REGISTERED] as RecordKind[];

/** Lists what the reader decided, in the order of the kinds and of the export. */
export function recordsIn(tables: Tables, ...kinds: RecordKind[]): UserRecord[] {
  return kinds.flatMap((kind) => {
    if (!Object.hasOwn(PLACES, kind)) {
      const found = tables['record']?.filter((row) => row['kind'] === kind) ?? [];
      return found.map(({ service, id, value }) => ({ kind, service, id: String(id), values: [value] }));
    }
    const [table, id, ...columns] = PLACES[kind as keyof typeof PLACES];
    const rows = tables[table]?.filter((row) => row[columns[0]] !== null) ?? [];
    return rows.map((row) => ({
      kind,
      service: row['mirror'],
      id: String(row[id]),
      values: columns.map((name) => row[name]),
    }));
  });
}

export function idsIn(tables: Tables, ...kinds: RecordKind[]): string[] {
  return recordsIn(tables, ...kinds).map(({ id }) => id);
}

/** An export in which items are read or starred, each at the time of its place. */
export function tablesWith(kind: 'read' | 'star', ids: readonly string[]): Tables {
  const rows = ids.map((id, at) => ({ item_id: id, read_at: null, starred_at: null, [PLACES[kind][2]]: at + 1 }));
  return { item_status: rows };
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
