import { reportName } from '../../../src-main/common/i18n/labels.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { sourceLabel } from '../../../src-main/common/source-label.ts';
import { reportOfNote, type NoteKey, type NoteLine } from '../../../src-main/contract/model/note.ts';

/** Names the subject of a note. A report has a name even if it isn't saved. */
export function subjectOf(
  { kind, id, title = '', source = '' }: NoteKey & Partial<NoteLine>,
  dateLocale: string,
): { title: string; about: string } {
  const report = kind === 'report' ? reportOfNote(id) : null;
  if (!report) return { title: title || m.stories_gone(), about: sourceLabel(source, 60) };
  const name = (form: 'long' | 'full'): string => reportName(report.kind, report.label, dateLocale, form);
  return { title: title || name('full'), about: name('long') };
}
