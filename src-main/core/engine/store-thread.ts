import { Worker, workerData } from 'node:worker_threads';
import { loadSqlite } from '../../store/index.ts';
import { THREAD_LIMITS } from './thread-limits.ts';

/** How long a thread may take to load SQLite before it is terminated all the same, in ms. */
const LOAD_LIMIT = 1_000;

/** What each thread gets besides its setup: a number that is 0 until it has loaded SQLite. */
interface Loading {
  loaded: Int32Array<SharedArrayBuffer>;
}

function say({ loaded }: Loading): void {
  Atomics.store(loaded, 0, 1);
  Atomics.notify(loaded, 0);
}

/**
 * A thread that works with the store. Terminating it waits until it has loaded SQLite: the whole process would abort if
 * a thread were terminated just while the native module of better-sqlite3 initializes.
 */
export class StoreThread extends Worker {
  readonly #loading: Loading;

  /** `module` calls {@link loadSqliteInThread} before anything else. `setup` is what it is started for. */
  constructor(module: URL, setup: object) {
    const loading: Loading = { loaded: new Int32Array(new SharedArrayBuffer(4)) };
    super(module, { workerData: { ...setup, ...loading }, resourceLimits: THREAD_LIMITS });
    this.#loading = loading;
    this.once('exit', () => {
      say(loading);
    });
  }

  override async terminate(): Promise<number> {
    // A process that ended meanwhile would terminate the thread, too.
    this.ref();
    await Atomics.waitAsync(this.#loading.loaded, 0, 0, LOAD_LIMIT).value;
    return super.terminate();
  }
}

/** In a {@link StoreThread}: loads SQLite, and says so. A failure is left to the first that opens a database. */
export function loadSqliteInThread(): void {
  try {
    loadSqlite();
  } catch {
    // Said with the place and a code by what opens the store.
  } finally {
    say(workerData as Loading);
  }
}
