import type { Json } from '../../src-main/contract/model/model.ts';
import type { ExportedRecord, UserDataFile } from '../../src-main/contract/user-data.ts';
import { SOURCE } from './store.ts';

/** `unread`: marked as unread. */
export type RecordKind =
  | 'read'
  | 'unread'
  | 'star'
  | 'withdrawn'
  | 'follow'
  | 'story'
  | 'report'
  | 'address'
  | 'favourite'
  | 'note'
  | 'saved'
  | 'mute'
  | 'start';

export interface UserRecord extends Omit<ExportedRecord, 'kind'> {
  kind: RecordKind;
}

/** Lists what the reader decided, in the order of the kinds and of the export. */
export function recordsIn(records: readonly ExportedRecord[], ...kinds: RecordKind[]): UserRecord[] {
  return kinds.flatMap((kind) => records.filter((one) => kindOf(one) === kind).map((one) => ({ ...one, kind })));
}

function kindOf({ kind, value }: ExportedRecord): string {
  return kind === 'read' && Number(value) < 0 ? 'unread' : kind;
}

export function idsIn(records: readonly ExportedRecord[], ...kinds: RecordKind[]): string[] {
  return recordsIn(records, ...kinds).map(({ id }) => id);
}

/** Items of the tests' service are read or starred, each at the time of its place, from `first`. */
export function recordsWith(
  kind: 'read' | 'star',
  ids: readonly string[],
  first = 1,
  service = SOURCE,
): ExportedRecord[] {
  const value = (at: number) => (kind === 'read' ? at : { at, link: null, time: null, title: '' });
  return ids.map((id, n) => ({ kind, service, id, value: value(first + n) }));
}

export function recordsOf(kind: string, service: string, values: { [id: string]: Json }): ExportedRecord[] {
  return Object.entries(values).map(([id, value]) => ({ kind, service, id, value }));
}

export function notesOf(service: string, ids: readonly string[], text: string): ExportedRecord[] {
  return ids.map((id, at) => ({
    ...{ kind: 'note', service, id: `item/${id}` },
    value: { text, createdAt: 1, changedAt: at + 1, title: '', link: null },
  }));
}

export function exportedIn(text: string): ExportedRecord[] {
  return (JSON.parse(text) as UserDataFile).records;
}

export function exportOf(records: readonly ExportedRecord[]): string {
  return JSON.stringify({ format: 'broadsheet-user-data', version: 1, records });
}
