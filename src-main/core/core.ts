import { BroadsheetError } from '../contract/errors.ts';
import type { NewsSource, Settings } from '../contract/model.ts';
import type { Ports } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import { createHandlers } from '../handlers/handlers.ts';
import type { Session } from '../handlers/session.ts';
import { StoreReader } from '../store/reader.ts';
import { syncStatus } from '../sync/status.ts';
import { DEMO_MIRROR, SyncEngine, type Emit, type Engine } from '../sync/engine.ts';
import { createDispatch } from './dispatch.ts';
import { startEngineThread } from './engine_thread.ts';
import { Listeners } from './listeners.ts';

/** The whole of Broadsheet without a host. */
export interface Core {
  wire: Wire;
  /** Begins to poll. */
  start(): void;
  /** Ends requests, finishes what is being written, closes the files. Calls that come later fail with `closed`. */
  close(): Promise<void>;
}

interface Mirror {
  source: NewsSource;
  engine: Engine;
  reader: StoreReader;
}

/**
 * Wires everything: the only place that does. Errors: `data_in_use` where another Broadsheet has the folder, `data_newer`
 * for a user.db of a later version, `data_read_only`, `disk_full`.
 */
export async function createCore(ports: Ports): Promise<Core> {
  const core = new LivingCore(ports);
  await core.open();
  return core;
}

/**
 * Reads what another process may be writing: no engine, no lock, no file made or changed. Methods that write fail with
 * `data_in_use`. Errors: `not_found` where nothing is stored yet.
 */
export function createReadingCore(ports: Ports): Promise<Core> {
  const reader = StoreReader.open(ports.dataFolder);
  const source = storedSource(reader.source);
  const session: Session = {
    ports,
    reader,
    source,
    engine: readingEngine(reader, source),
    changeSettings: () => Promise.reject(onlyReading()),
  };
  const listeners = new Listeners(ports.log);
  return Promise.resolve({
    wire: { call: createDispatch(createHandlers(session), ports), on: listeners.on.bind(listeners) },
    start: () => undefined,
    close: () => {
      reader.close();
      return Promise.resolve();
    },
  });
}

/** The service that the stored mirror is of. The demo service has no address while nobody runs it. */
function storedSource(mirror: string): NewsSource {
  if (mirror === DEMO_MIRROR) return { address: '', demo: true, from: 'demo' };
  return { address: mirror, demo: false, from: 'settings' };
}

class LivingCore implements Core, Session {
  readonly ports: Ports;
  readonly wire: Wire;
  readonly #listeners: Listeners;
  #mirror: Mirror | null = null;
  #polling = false;
  /** Openings and closings go one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor(ports: Ports) {
    this.ports = ports;
    this.#listeners = new Listeners(ports.log);
    this.wire = { call: createDispatch(createHandlers(this), ports), on: this.#listeners.on.bind(this.#listeners) };
  }

  get source(): NewsSource {
    return this.#open.source;
  }

  get engine(): Engine {
    return this.#open.engine;
  }

  get reader(): StoreReader {
    return this.#open.reader;
  }

  get #open(): Mirror {
    if (!this.#mirror) throw new BroadsheetError('closed', 'Broadsheet is closing, or changing its news service.', { retryable: true });
    return this.#mirror;
  }

  open(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#goTo(await this.ports.source(this.ports.settings.get()));
    });
  }

  start(): void {
    this.#polling = true;
    void this.#mirror?.engine.start();
  }

  close(): Promise<void> {
    return this.#inTurn(() => this.#leave());
  }

  async changeSettings(settings: Settings): Promise<void> {
    const source = await this.ports.source(settings);
    this.ports.settings.set(settings);
    this.#listeners.emit('settings.changed', settings);
    if (source.address === this.#open.source.address) return;
    await this.#inTurn(async () => {
      await this.#leave();
      await this.#goTo(source);
    });
    await this.#tellAll();
  }

  async #goTo(source: NewsSource): Promise<void> {
    const { dataFolder, capabilities, engineModule } = this.ports;
    const setup = { dataFolder, source, version: capabilities.version };
    const enginePorts = { clock: this.ports.clock, log: this.ports.log, emit: this.#emit };
    if (engineModule) {
      const engine = await startEngineThread(engineModule, setup, enginePorts);
      this.#mirror = { source, engine, reader: StoreReader.open(dataFolder) };
    } else {
      const engine = new SyncEngine(setup, enginePorts);
      const inMemory = dataFolder === ':memory:';
      this.#mirror = { source, engine, reader: inMemory ? new StoreReader(engine.store.database) : StoreReader.open(dataFolder) };
    }
    if (this.#polling) await this.#mirror.engine.start();
  }

  async #leave(): Promise<void> {
    const mirror = this.#mirror;
    this.#mirror = null;
    if (!mirror) return;
    // The reader first: the writer's last connection then leaves the files tidy.
    mirror.reader.close();
    await mirror.engine.close();
  }

  readonly #emit: Emit = (event, payload) => {
    this.#listeners.emit(event, payload);
  };

  async #tellAll(): Promise<void> {
    const { reader, engine } = this.#open;
    this.#emit('sync.changed', await engine.call('sync.status', {}));
    this.#emit('items.changed', { added: 0, revised: 0, withdrawn: 0, ids: null });
    this.#emit('counts.changed', reader.counts());
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }
}

function readingEngine(reader: StoreReader, source: NewsSource): Engine {
  return {
    call: (method) => {
      if (method !== 'sync.status') return Promise.reject(onlyReading());
      const { selectedComplete, journal } = reader;
      const idle = { running: false, progress: null };
      const status = syncStatus({
        source,
        reachable: null,
        notices: [],
        selectedComplete,
        counts: reader.counts(),
        journal,
        live: () => idle,
      });
      // The caller knows which method it named; a compiler that maps over all of them does not.
      return Promise.resolve(status as never);
    },
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function onlyReading(): BroadsheetError {
  return new BroadsheetError('data_in_use', 'This command only reads what is stored.');
}
