import type { Emit } from '../../../contract/events.ts';
import { MODEL_LISTS } from '../../../contract/model/resource.ts';
import type { AppliedMarks, Undo } from '../../../store/index.ts';
import type { MarksSharing } from '../../marks/marks-sharing.ts';
import type { EngineBodies } from '../types.ts';

/** Methods for the folder through which machines share marks. */
export const marksFolderMethods = (sharing: MarksSharing) =>
  ({
    'marksFolder.get': () => sharing.status(),
    'marksFolder.off': () => sharing.off(),
    'marksFolder.remove': ({ machine }) => sharing.remove(machine),
    'marksFolder.compare': async () => {
      await sharing.compare();
      return sharing.status();
    },
  }) satisfies Partial<EngineBodies>;

interface AnnouncePorts {
  emit: Emit;
  /** Sends the events for changed statuses. */
  marked(action: Undo): void;
  /** Sends the events for changed rules, and has saved items matched. */
  rulesChanged(): void;
}

/** Sends the events for what other machines marked: the same as if it had been marked here. */
export function announceMarks({ emit, marked, rulesChanged }: AnnouncePorts): (applied: AppliedMarks) => void {
  return ({ items, stories, reports, notes, rules, models }) => {
    if (items.length > 0) marked({ field: 'read_at', before: items.map((id) => ({ id, value: null })) });
    if (stories.length > 0) emit('stories.changed', { publicIds: [...new Set(stories)] });
    for (const kind of new Set(reports.map((report) => report.kind))) {
      const labels = reports.filter((report) => report.kind === kind).map(({ label }) => label);
      emit('reports.changed', { kind, labels });
    }
    for (const note of notes) emit('notes.changed', note);
    if (rules) rulesChanged();
    if (models) emit('models.changed', { modelLists: [...MODEL_LISTS] });
  };
}
