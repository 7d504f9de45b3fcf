import type { Emit } from '../../contract/events.ts';
import type { Result } from '../../contract/methods.ts';
import type { NoteKey } from '../../contract/model/note.ts';
import { MODEL_LISTS } from '../../contract/model/resource.ts';
import type { MuteRules, SavedSearches } from '../../contract/model/search.ts';
import type { Clock } from '../../contract/ports.ts';
import { listBackups, listParkedMirrors, readExported, removeParkedMirror, type Store } from '../../store/index.ts';
import type { DeviceSync } from '../devices/device-sync.ts';
import type { GatewayConnection } from './network.ts';
import type { StorageWarnings } from './status.ts';
import type { EngineBodies } from './types.ts';
import { parseUserData } from './user-data-file.ts';

interface NotePorts {
  store: Store;
  emit: Emit;
}

export function noteMethods({ store, emit }: NotePorts) {
  const isThis = (service?: string): boolean => service === undefined || service === store.queries.mirror.get('source');

  /** A merged story has the note of its survivor. */
  function resolve({ kind, id }: NoteKey, service?: string): NoteKey {
    return isThis(service) ? store.queries.notes.resolve({ kind, id }) : { kind, id };
  }

  function emitChange(key: NoteKey, noted: boolean, service?: string): void {
    if (isThis(service)) emit('notes.changed', { ...key, noted });
  }

  return {
    'notes.set': ({ text, service, ...given }) => {
      const key = resolve(given, service);
      const { note, changed } = store.transaction(({ notes, now }) =>
        notes.set(key, text, { now, ...(service !== undefined && { service }) }),
      );
      if (changed) emitChange(key, note !== null, service);
      return { note };
    },
    'notes.remove': ({ service, ...given }) => {
      const key = resolve(given, service);
      const removed = store.transaction(({ notes }) => notes.remove(key, service));
      if (removed) emitChange(key, false, service);
      return { removed };
    },
  } satisfies Partial<EngineBodies>;
}

interface RulePorts {
  clock: Clock;
  store: Store;
  onChange(): void;
}

/** Each method returns when the rule is saved; items follow. */
export function ruleMethods({ clock, store, onChange }: RulePorts) {
  const { rules } = store.queries;
  const searches = (): SavedSearches => {
    onChange();
    return { searches: rules.savedSearches(clock.now()), progress: rules.progress() };
  };
  const mutes = (): MuteRules => {
    onChange();
    return { rules: rules.mutes(), progress: rules.progress() };
  };
  return {
    'saved.add': ({ was, notify = false, ...search }) => {
      const id = store.transaction((tx) => tx.rules.addSaved({ notify, ...search }, tx.now, was));
      return { id, ...searches() };
    },
    'saved.change': ({ id, ...change }) => {
      store.transaction((tx) => {
        tx.rules.changeSaved(id, change);
      });
      return searches();
    },
    'saved.move': ({ id, to }) => {
      store.transaction((tx) => {
        tx.rules.moveSaved(id, to);
      });
      return searches();
    },
    'saved.remove': ({ id }) => {
      store.transaction((tx) => tx.rules.removeSaved(id));
      return searches();
    },
    'mutes.add': ({ query, was }) => {
      const result = store.transaction((tx) => tx.rules.addMute(query, tx.now, was));
      return { ...result, ...mutes() };
    },
    'mutes.remove': ({ id }) => {
      store.transaction((tx) => tx.rules.removeMute(id));
      return mutes();
    },
  } satisfies Partial<EngineBodies>;
}

interface ModelPorts {
  store: Store;
  gateway: Pick<GatewayConnection, 'test'>;
  emit: Emit;
  namesChanged(): void;
}

export function modelMethods({ store, gateway, emit, namesChanged }: ModelPorts) {
  const changed = (): Record<string, never> => {
    emit('models.changed', { modelLists: [...MODEL_LISTS] });
    return {};
  };
  const workloadsChanged = (): Result<'workloads.save'> => {
    const workloads = store.queries.models.workloads();
    emit('workloads.changed', { workloads });
    return { workloads };
  };
  return {
    'models.favourite': ({ id, favourite }) =>
      store.transaction(({ records, now }) => records.turn('favourite', id, favourite ? now : null)) ? changed() : {},
    'models.setAliases': ({ id, aliases }) => {
      store.transaction(({ modelStatuses }) => {
        modelStatuses.setAliases(id, aliases);
      });
      namesChanged();
      return changed();
    },
    'workloads.save': ({ workload }) => {
      store.transaction(({ modelStatuses, now }) => {
        modelStatuses.saveWorkload(workload, now);
      });
      return workloadsChanged();
    },
    'workloads.remove': ({ id }) => {
      store.transaction(({ modelStatuses }) => {
        modelStatuses.removeWorkload(id);
      });
      return workloadsChanged();
    },
    'gateway.test': async ({ address }) => ({ embeddings: await gateway.test(address) }),
  } satisfies Partial<EngineBodies>;
}

export const deviceMethods = (sharing: DeviceSync) =>
  ({
    'devices.get': () => sharing.status(),
    'devices.off': () => sharing.off(),
    'devices.remove': ({ device }) => sharing.remove(device),
    'devices.compare': async () => {
      await sharing.compare();
      return sharing.status();
    },
  }) satisfies Partial<EngineBodies>;

interface DataPorts {
  clock: Clock;
  store: Store;
  emit: Emit;
  warnings: StorageWarnings;
  onChange(): void;
}

export const dataMethods = ({ clock, store, emit, warnings, onChange }: DataPorts) =>
  ({
    // In one transaction: half an import would look like a whole one.
    'data.import': ({ text }) => {
      const { records, skipped } = readExported(parseUserData(text).records, clock.now());
      const result = store.transaction(({ userData }) => userData.take(records));
      if (result.taken > 0) emit('data.replaced', {});
      return { ...result, skipped: result.skipped + skipped, settings: false };
    },
    'data.removeParkedMirror': ({ id }) => {
      removeParkedMirror(store.folder, id);
      return { mirrors: listParkedMirrors(store.folder) };
    },
    'data.dismissWarning': ({ id }) => {
      warnings.dismiss(id);
      onChange();
      return {};
    },
    'data.backUp': () => {
      store.backUp();
      return { backups: listBackups(store.folder) };
    },
  }) satisfies Partial<EngineBodies>;
