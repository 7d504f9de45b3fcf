import { BroadsheetError } from '../contract/errors.ts';
import type { NewsSource } from '../contract/model/sync-status.ts';
import type { Settings } from '../contract/settings.ts';
import type { Target } from '../contract/targets.ts';
import type { Ports } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import type { LongRead } from '../handlers/long-reads.ts';
import type { Session } from '../handlers/types.ts';
import type { Queries } from '../store/index.ts';
import type { Emit } from '../contract/events.ts';
import type { Engine } from '../sync/engine/types.ts';
import { engineSettings } from '../sync/engine/engine-settings.ts';
import type { Core } from './types.ts';
import { BackupService } from './backup-service.ts';
import { GatewayCredentials } from './credentials/gateway-credentials.ts';
import { Listeners } from './listeners.ts';
import { openMirror, type Mirror } from './engine/mirror.ts';
import { Problems } from './problems.ts';
import { keysRemoved } from './log/redaction.ts';
import { createWire, type SessionWire } from './wire.ts';

export { createReadingCore } from './reading-core.ts';

/** In ms. */
const SOON_AGAIN = 60_000;

/**
 * Creates and wires all parts of Broadsheet; nothing else does. Errors: `data_in_use` if another Broadsheet uses the
 * folder, `data_newer` for a user.db of a later version, `data_read_only`, `disk_full`.
 */
export async function createCore(ports: Ports): Promise<Core> {
  const core = new BroadsheetCore(ports);
  await core.open();
  return core;
}

class BroadsheetCore implements Core, Session {
  readonly ports: Ports;
  readonly gateway: GatewayCredentials;
  readonly problems: Problems;
  readonly data: BackupService;
  readonly #listeners: Listeners;
  readonly #wire: SessionWire;
  #mirror: Mirror | null = null;
  #polling = false;
  #target: Target | null = null;
  #revivedAt: number | null = null;
  /** Opening, closing, and changes of settings or key run one after another. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(ports: Ports) {
    this.ports = ports;
    this.#listeners = new Listeners(ports.log);
    this.problems = new Problems(ports, keysRemoved(ports.keys));
    this.data = new BackupService({
      ports,
      engine: () => this.engine,
      longRead: () => this.longRead,
      changeSettings: (patch) => this.changeSettings(patch),
      withoutMirror: (work) => this.#inTurn(() => this.#aside(work)),
    });
    this.gateway = new GatewayCredentials({
      ports,
      emit: this.#emit,
      engine: () => this.engine,
      inTurn: (work) => this.#inTurn(work),
    });
    this.#wire = createWire(this, this.#listeners);
  }

  get wire(): Wire {
    return this.#wire.wire;
  }

  get source(): NewsSource {
    return this.#open.source;
  }

  get engine(): Engine {
    return this.#open.engine;
  }

  get queries(): Queries {
    return this.#open.queries;
  }

  get longRead(): LongRead {
    return this.#open.longRead;
  }

  get #open(): Mirror {
    if (this.#mirror) return this.#mirror;
    throw new BroadsheetError('closed', 'Broadsheet is closing, or changing its news service.', { retryable: true });
  }

  open(): Promise<void> {
    return this.#inTurn(async () => {
      const settings = this.ports.settings.get();
      await this.#goTo(await this.ports.source(settings), settings);
    });
  }

  goTo(target: Target): void {
    this.#target = target;
    this.#emit('app.goTo', {});
  }

  takeTarget(): Target | null {
    const target = this.#target;
    this.#target = null;
    return target;
  }

  reportProblem(error: unknown): void {
    const trace = error instanceof Error ? (error.stack ?? '') : '';
    this.problems.report('main', error instanceof Error ? error.message : String(error), trace);
  }

  start(): void {
    this.#polling = true;
    if (this.#mirror) this.#poll(this.#mirror);
  }

  close(): Promise<void> {
    this.#wire.shut();
    return this.#inTurn(() => this.#leave());
  }

  changeSettings(patch: Partial<Settings>): Promise<Settings> {
    return this.#inTurn(async () => {
      const settings = { ...this.ports.settings.get(), ...patch };
      const source = await this.ports.source(settings);
      const moves = source.address !== this.#open.source.address;
      if (moves) await this.#goOver(source, settings);
      else await this.#adopt(settings);
      this.#emit('settings.changed', settings);
      if (moves) this.#emit('data.replaced', {});
      else if (patch.modelsAddress !== undefined) await this.gateway.goTo(settings, source);
      return settings;
    });
  }

  async #adopt(settings: Settings): Promise<void> {
    this.ports.settings.set(settings);
    await this.#open.engine.useSettings(engineSettings(settings));
  }

  /** Opens the new service before saving its name: if either fails, the previous service stays in use. */
  async #goOver(source: NewsSource, settings: Settings): Promise<void> {
    const before = this.#open.source;
    await this.#leave();
    try {
      await this.#goTo(source, settings);
      this.ports.settings.set(settings);
    } catch (error) {
      await this.#leave();
      await this.#goTo(before, this.ports.settings.get());
      throw error;
    } finally {
      // Polling starts only now, so that a service that is changed again at once gets no requests.
      if (this.#polling && this.#mirror) this.#poll(this.#mirror);
    }
  }

  /** Closes the files for `work` and opens them again, whether it succeeds or not. */
  async #aside(work: () => void): Promise<void> {
    const { source } = this.#open;
    await this.#leave();
    try {
      work();
    } finally {
      await this.#goTo(source, this.ports.settings.get());
      if (this.#polling && this.#mirror) this.#poll(this.#mirror);
    }
    this.#emit('data.replaced', {});
  }

  async #goTo(source: NewsSource, settings: Settings): Promise<void> {
    const gateway = this.gateway.choose(settings, source);
    const plan = { source, gateway, settings: engineSettings(settings) };
    const mirror = await openMirror(this.ports, plan, {
      emit: this.#emit,
      onDeath: (error) => this.#engineDied(mirror, error),
    });
    this.#mirror = mirror;
  }

  /** Replaces a stopped engine once. If the new one soon stops, too, the user has to restart the app. */
  #engineDied(mirror: Mirror, error: unknown): void {
    const message = error instanceof Error ? error.message : 'The engine stopped without an error.';
    this.problems.report('engine', message, error instanceof Error ? (error.stack ?? '') : '');
    const now = this.ports.clock.now();
    const isAgain = this.#revivedAt !== null && now - this.#revivedAt < SOON_AGAIN;
    this.#revivedAt = now;
    if (isAgain) return this.ports.desktop?.offerRestart?.();
    this.#inTurn(async () => {
      // Meanwhile closed, or switched to another service.
      if (this.#mirror === mirror) await this.#aside(() => undefined);
    }).catch((reason: unknown) => this.reportProblem(reason));
  }

  async #leave(): Promise<void> {
    const mirror = this.#mirror;
    this.#mirror = null;
    await mirror?.close();
  }

  #poll({ engine }: Mirror): void {
    engine.start().catch((error: unknown) => {
      const trace = error instanceof Error ? (error.stack ?? '') : String(error);
      this.ports.log('error', 'Starting to poll failed', { trace });
    });
  }

  readonly #emit: Emit = (event, payload) => {
    this.#listeners.emit(event, payload);
  };

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.catch(() => undefined);
    return result;
  }
}
