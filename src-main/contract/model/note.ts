import { isItemId, isStoryId } from './record.ts';
import { isReportLabel, REPORT_KINDS, type ReportKind } from './report.ts';

export const NOTE_KINDS = ['item', 'story', 'report'] as const;
export type NoteKind = (typeof NOTE_KINDS)[number];

/** UTF-16 units. */
export const LONGEST_NOTE = 20_000;
export const MOST_NOTES = 10_000;

/** A report's id is `daily/2026-11-20`. */
export interface NoteKey {
  kind: NoteKind;
  id: string;
}

export interface Note extends NoteKey {
  text: string;
  createdAt: string;
  changedAt: string;
}

export interface NamedNote extends Note {
  /** Plain text; if the mirror lacks the subject, that of when the note was written. Empty if it never was here. */
  title: string;
  link: string | null;
  source: string;
}

export interface NoteLine extends Omit<NamedNote, 'text'> {
  excerpt: string;
  cut: boolean;
}

export function reportNoteId(kind: ReportKind, label: string): string {
  return `${kind}/${label}`;
}

export function reportOfNote(id: string): { kind: ReportKind; label: string } | null {
  const [name, label, ...rest] = id.split('/');
  const kind = REPORT_KINDS.find((one) => one === name);
  if (kind === undefined || label === undefined || rest.length > 0) return null;
  return isReportLabel(kind, label) ? { kind, label } : null;
}

export function noteHitId({ kind, id }: NoteKey): string {
  return `${kind}/${id}`;
}

export function noteOfHit(hitId: string): NoteKey | null {
  const at = hitId.indexOf('/');
  const kind = NOTE_KINDS.find((one) => one === hitId.slice(0, Math.max(0, at)));
  const key = kind && { kind, id: hitId.slice(at + 1) };
  return key && isNoteKey(key) ? key : null;
}

export function isNoteKey({ kind, id }: NoteKey): boolean {
  if (kind === 'report') return reportOfNote(id) !== null;
  return kind === 'story' ? isStoryId(id) : isItemId(id);
}

export function cleanNote(text: string): string {
  return text.replaceAll('\0', '').replace(/\r\n?/g, '\n').toWellFormed().trimEnd();
}
