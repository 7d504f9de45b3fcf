import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openBeside, openForWriting } from './database/connection.ts';
import { withMappedErrors } from './database/error-boundary.ts';
import {
  corruptionMarker,
  beside,
  flushFile,
  moveDatabase,
  removeDatabase,
  removeIfPossible,
  replaceDatabase,
  storeFiles,
  type StoreFiles,
} from './database/files.ts';
import { DERIVED_NAMES } from './derived/list.ts';
import { MIRROR_ROLES } from './database/parked-mirrors.ts';
import { damagedMirror } from './database/set-aside.ts';
import { Store, type StoreOptions } from './store.ts';

/** Opens for writing. Errors: `data_in_use`, `data_newer`, `data_read_only`, `disk_full`, `data_unreadable`. */
export function openStore(options: StoreOptions): Store {
  const { folder, source, now, locked = false } = options;
  return withMappedErrors(folder, () => {
    const connection = openForWriting(folder, source, now(), { locked, onChecked: () => takeNext(options) });
    const store = new Store(connection, options);
    if (store.isNew) salvage(store, folder);
    return store;
  });
}

function salvage(store: Store, folder: string): void {
  const name = damagedMirror(folder);
  if (name === null) return;
  try {
    store.takeOver(join(folder, name));
  } catch {
    // The rest can be downloaded, and the file stays.
  }
}

interface UnfinishedMirror {
  store: Store;
  /** Closes it, to replace the one in use when the folder is next opened. Returns the name of its build. */
  finish(): string;
  discard(): void;
}

/** The second mirror shares user.db. The folder must be open for writing. */
export function openUnfinishedMirror(options: StoreOptions): UnfinishedMirror {
  const { folder, source, now } = options;
  return withMappedErrors(folder, () => {
    const files = storeFiles(folder);
    const unfinished = mirrorBeside(files, 'unfinished');
    removeAll(unfinished);
    const connection = openBeside({ ...files, ...unfinished }, { folder, source, now: now() });
    const store = new Store(connection, options);
    let isOpen = true;
    const close = (): void => {
      if (isOpen) store.close();
      isOpen = false;
    };
    return {
      store,
      finish: () =>
        withMappedErrors(folder, () => {
          const build = store.queries.mirror.get('build') ?? '';
          // The other mirror applied what was marked meanwhile, so this one starts again.
          store.transaction(({ derived }) => derived.forget('statuses'));
          close();
          const next = mirrorBeside(files, 'next');
          removeAll(next);
          // The mirror first: it works without its search index.
          for (const role of MIRROR_ROLES) {
            flushFile(unfinished[role]);
            moveDatabase(unfinished[role], next[role]);
          }
          return build;
        }),
      discard: () => {
        close();
        removeAll(unfinished);
      },
    };
  });
}

/** Puts a complete mirror in place, with the reader's marks. A failure or a kill leaves one of the two whole. */
function takeNext(options: StoreOptions): void {
  const files = storeFiles(options.folder);
  const next = mirrorBeside(files, 'next');
  removeAll(mirrorBeside(files, 'unfinished'));
  try {
    if (existsSync(next.mirror)) {
      complete({ ...files, ...next }, files.mirror, options);
      replaceDatabase(next.mirror, files.mirror);
    }
    if (existsSync(next.search)) replaceDatabase(next.search, files.search);
  } catch {
    removeAll(next);
  }
}

function complete(files: StoreFiles, old: string, options: StoreOptions): void {
  const { folder, source, now } = options;
  const store = new Store(openBeside(files, { folder, source, now: now() }), options);
  try {
    if (store.queries.mirror.get('source') !== source) throw new Error('It is the mirror of another service.');
    if (existsSync(old)) store.takeOver(old);
    else salvage(store, folder);
    for (const name of DERIVED_NAMES) while (store.derive(name));
    const { merge } = store.searchIndexer();
    while (merge());
  } finally {
    store.close();
  }
}

function mirrorBeside({ mirror, search }: StoreFiles, stage: Parameters<typeof beside>[1]) {
  return { mirror: beside(mirror, stage), search: beside(search, stage) };
}

function removeAll(files: ReturnType<typeof mirrorBeside>): void {
  for (const file of Object.values(files)) {
    removeDatabase(file);
    removeIfPossible(corruptionMarker(file));
  }
}
