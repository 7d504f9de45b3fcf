import { z } from 'zod';
import type { MarkKey, MarkKind } from '../../common/marks.ts';
import { LATEST_TIME } from '../../common/time.ts';
import { ruleId } from '../../contract/guards.ts';
import { isNoteKey, NOTE_KINDS } from '../../contract/model/note.ts';
import { REPORT_KINDS, type ReportKind } from '../../contract/model/report.ts';
import { LONGEST_RULE_QUERY } from '../../contract/model/search.ts';
import { KINDS, valueText } from '../../contract/records.ts';

const time = z.int().min(0).max(LATEST_TIME);

/** In characters: more than all shortcuts take. */
const MAX_SETTING = 16_384;

const VALUES = {
  read: KINDS.read.value,
  star: KINDS.star.value,
  follow: time,
  story: time,
  report: time,
  address: time,
  favourite: time,
  note: KINDS.note.value,
  saved: KINDS.saved.value,
  mute: KINDS.mute.value,
  // Also those of later versions, which are passed on. It comes from JSON.
  setting: z.custom<z.core.util.JSONType>(
    (value) => value !== undefined && JSON.stringify(value).length <= MAX_SETTING,
  ),
} as const satisfies Record<MarkKind, z.ZodType>;

export type MarkValues = { [Kind in MarkKind]: z.infer<(typeof VALUES)[Kind]> };

const HAVE_SERVICE: ReadonlySet<MarkKind> = new Set(['read', 'star', 'follow', 'story', 'report', 'note']);

export function parseValue<Kind extends MarkKind>(_kind: Kind, text: string): MarkValues[Kind] {
  return JSON.parse(text) as MarkValues[Kind];
}

/** Returns undefined for a value that means nothing here. */
export function readMarkValue(kind: MarkKind, raw: unknown): string | null | undefined {
  if (raw === null) return null;
  const { success, data } = VALUES[kind].safeParse(raw);
  if (!success) return undefined;
  const text = valueText(data);
  return isStored(text) ? text : undefined;
}

export function isMarkKey({ kind, service, id }: MarkKey): boolean {
  if (HAVE_SERVICE.has(kind) !== (service !== '') || !isStored(service) || !isStored(id)) return false;
  switch (kind) {
    case 'report':
      return reportOfId(id) !== null;
    case 'note':
      return noteOfId(id) !== null;
    case 'mute':
      return id.trim() === id && id.length <= LONGEST_RULE_QUERY;
    case 'saved':
      return ruleId.safeParse(id).success;
    case 'setting':
      return /^[a-z][a-zA-Z0-9]{0,63}$/.test(id);
    case 'address':
      return id.length <= 8192;
    default:
      return id.length <= 512;
  }
}

/** Returns false for a text that the database would change: half of a character would become another one. */
function isStored(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Parses `daily/2026-11-20`. */
export function reportOfId(id: string): { kind: ReportKind; label: string } | null {
  const [, name, label = ''] = /^(\w+)\/(\d{4}-(?:\d{2}-\d{2}|W\d{2}|\d{2}))$/.exec(id) ?? [];
  const kind = REPORT_KINDS.find((one) => one === name);
  return kind ? { kind, label } : null;
}

export function noteOfId(id: string): { kind: (typeof NOTE_KINDS)[number]; id: string } | null {
  const at = id.indexOf('/');
  const kind = NOTE_KINDS.find((one) => one === id.slice(0, Math.max(0, at)));
  const key = kind && { kind, id: id.slice(at + 1) };
  return key && isNoteKey(key) ? key : null;
}
