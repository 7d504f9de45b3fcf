import type { Emit } from '../../../contract/events.ts';
import type { NoteKey } from '../../../contract/model/note.ts';
import type { Store } from '../../../store/index.ts';
import type { EngineBodies } from '../types.ts';

interface MethodPorts {
  store: Store;
  emit: Emit;
}

/** Methods that write the reader's notes. */
export function noteMethods({ store, emit }: MethodPorts) {
  /** A merged story has the note of its survivor. */
  function subject({ kind, id }: NoteKey, service: string | undefined): NoteKey {
    const isThis = service === undefined || service === store.queries.mirror.get('source');
    return isThis ? store.queries.notes.resolve({ kind, id }) : { kind, id };
  }

  function changed(key: NoteKey, noted: boolean, service: string | undefined): void {
    // Nothing of another service is shown.
    if (service === undefined || service === store.queries.mirror.get('source')) {
      emit('notes.changed', { ...key, noted });
    }
  }

  return {
    'notes.set': ({ text, service, ...given }) => {
      const key = subject(given, service);
      const { note, changed: isChanged } = store.transaction(({ notes, now }) =>
        notes.set(key, text, { now, ...(service !== undefined && { service }) }),
      );
      if (isChanged) changed(key, note !== null, service);
      return { note };
    },
    'notes.remove': ({ service, ...given }) => {
      const key = subject(given, service);
      const removed = store.transaction(({ notes }) => {
        const note = notes.find(key, service);
        notes.remove(key, service);
        return note;
      });
      if (removed) changed(key, false, service);
      return { removed };
    },
  } satisfies Partial<EngineBodies>;
}
