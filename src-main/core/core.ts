import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import { BroadsheetError, logFields } from '../contract/errors.ts';
import type { NewsSource } from '../contract/model/sync-status.ts';
import type { ArrivedSettings, Settings, SharedSettings } from '../contract/settings.ts';
import type { Target } from '../contract/refs.ts';
import type { Ports } from '../contract/ports.ts';
import type { Wire } from '../contract/wire.ts';
import {
  isDamaged,
  lockDataFolder,
  serviceBefore,
  type FolderLock,
  type Queries,
  type Restored,
} from '../store/index.ts';
import type { Emit } from '../contract/events.ts';
import { DEMO, HARSH_DEMO, serviceName } from '../sync/engine/services.ts';
import { engineSettings } from '../sync/engine/types.ts';
import type { RunRead } from './reads.ts';
import type { Core, Engine, FileWork, Session } from './types.ts';
import { GatewayCredentials } from './credentials/gateway-credentials.ts';
import { LastPlace } from './files/last-place.ts';
import { removeLeftovers } from './files/data-folder.ts';
import { createWire, type SessionWire } from './wire.ts';
import { listenForCalls } from './endpoint.ts';
import { openMirror, type Mirror } from './engine/mirror.ts';
import { Recovery } from './engine/recovery.ts';
import { Problems } from './log.ts';
import { traceOf } from './threads.ts';

export { createReadingCore } from './reading-core.ts';
export { lockDataFolder, makeDataFolder } from '../store/index.ts';

const HEAL_AGAIN_AFTER_MS = 10 * 60_000;
/** Doubled with each request to a service that has never answered. */
const ASK_AGAIN_AFTER_MS = 30_000;
const MAX_ASK_AGAIN_AFTER_MS = 30 * 60_000;

/** Errors: `data_in_use`, `data_newer` for a user.db of a later version, `data_read_only`, `disk_full`. */
export async function createCore(ports: Ports): Promise<Core> {
  const core = new BroadsheetCore(ports);
  try {
    await core.open();
    return core;
  } catch (error) {
    await core.close();
    throw error;
  }
}

class BroadsheetCore implements Core, Session {
  readonly ports: Ports;
  readonly gateway: GatewayCredentials;
  readonly problems: Problems;
  readonly lastPlace: LastPlace;
  readonly #wire: SessionWire;
  readonly #recovery: Recovery;
  readonly #closing = new AbortController();
  /** Held even while files are reopened: no other process can take the folder. */
  #lock: FolderLock | null = null;
  #endpoint: ReturnType<typeof listenForCalls> | null = null;
  #mirror: Mirror | null = null;
  #reopening: Promise<null> | null = null;
  #healedAt: number | null = null;
  #cancelHealing: (() => void) | null = null;
  #cancelAsking: (() => void) | null = null;
  #polling = false;
  #engineRuns = true;
  #target: Target | null = null;
  /** Serializes opening, closing, and changes of settings or key. */
  readonly #inTurn = pLimit(1);

  constructor(ports: Ports) {
    this.ports = ports;
    this.problems = new Problems(ports);
    this.lastPlace = new LastPlace(ports);
    this.gateway = new GatewayCredentials({
      ports,
      emit: this.#emit,
      engine: () => this.engine,
      inTurn: (work) => this.#inTurn(work),
    });
    void ports.folderKeys?.ready
      ?.then(() => this.#inTurn(() => this.engine.call('useFolderKeys', ports.folderKeys?.get() ?? [])))
      .catch(() => undefined);
    this.#recovery = new Recovery({ ...ports, gaveUp: (error) => this.#gaveUp(error) });
    this.#wire = createWire(this, {
      ready: () => this.#reopening,
      onUnreadable: () => {
        if (this.#mirror && isDamaged(this.ports.dataFolder)) this.#heal(this.#mirror);
      },
    });
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

  get longRead(): RunRead {
    return this.#open.longRead;
  }

  get #open(): Mirror {
    if (this.#mirror) return this.#mirror;
    throw (
      this.#recovery.failure ??
      new BroadsheetError('closed', 'Broadsheet is closing, or opening its files again.', { retryable: true })
    );
  }

  open(): Promise<void> {
    return this.#inTurn(async () => {
      const settings = this.ports.settings.get();
      const source = await this.ports.source(settings);
      const { dataFolder } = this.ports;
      if (dataFolder !== ':memory:') {
        this.#lock = lockDataFolder(dataFolder);
        removeLeftovers(dataFolder, this.ports.clock.now());
      }
      await this.#openFiles(this.#sourceInUse(source), settings);
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
    const [message, trace] = error instanceof Error ? [error.message, traceOf(error)] : [String(error), ''];
    this.problems.report('main', message, trace);
  }

  start(): void {
    this.#polling = true;
    this.#resumePolling();
    const { dataFolder: folder, log } = this.ports;
    if (folder !== ':memory:') this.#endpoint = listenForCalls(folder, this.wire, log);
  }

  close(): Promise<void> {
    this.#wire.shut();
    this.#closing.abort();
    this.#recovery.stop();
    this.#cancelHealing?.();
    this.#cancelAsking?.();
    return this.#inTurn(async () => {
      await (
        await this.#endpoint
      )?.();
      await this.#closeFiles();
      this.#lock?.release();
      this.#lock = null;
    });
  }

  changeSettings(patch: Partial<Settings>): Promise<Settings> {
    return this.#inTurn(async () => {
      const settings = { ...this.ports.settings.get(), ...patch };
      const { source: current } = this.#open;
      const wanted = await this.ports.source(settings);
      const isChosen = patch.newsAddress !== undefined || wanted.address !== (current.awaited ?? current.address);
      const source = isChosen ? await this.#chooseSource(wanted) : current;
      const moves = source.address !== current.address || source.awaited !== current.awaited;
      if (moves) await this.#switchSource(source, settings);
      else await this.#saveSettings(settings);
      this.#emit('settings.changed', settings);
      if (moves) this.#emit('data.replaced', {});
      else if (patch.modelsAddress !== undefined) await this.gateway.goTo(settings, source);
      return settings;
    });
  }

  withFilesClosed(work: FileWork): Promise<void> {
    return this.#inTurn(() => this.#reopenAfter(work));
  }

  /** Keeps the previous service in place of a new one that has not sent its news yet. */
  #sourceInUse(wanted: NewsSource): NewsSource {
    if (this.ports.keepsService !== true || wanted.demo || this.ports.dataFolder === ':memory:') return wanted;
    const address = serviceBefore(this.ports.dataFolder, serviceName(wanted));
    if (address === null || address === DEMO || address === HARSH_DEMO) return wanted;
    return { ...wanted, address, awaited: wanted.address };
  }

  async #chooseSource(wanted: NewsSource): Promise<NewsSource> {
    const inUse = this.#sourceInUse(wanted);
    return inUse.awaited === undefined || (await this.#isReachable(wanted.address)) ? wanted : inUse;
  }

  async #isReachable(address: string): Promise<boolean> {
    try {
      await this.#open.engine.call('source.test', { address });
      return true;
    } catch {
      return false;
    }
  }

  async #askAwaited(mirror: Mirror, pause: number): Promise<void> {
    const { awaited } = mirror.source;
    if (awaited === undefined) return;
    const isReachable = await this.#isReachable(awaited);
    if (this.#mirror !== mirror || this.#closing.signal.aborted) return;
    if (isReachable) {
      await this.#inTurn(async () => {
        if (this.#mirror !== mirror) return;
        const settings = this.ports.settings.get();
        await this.#switchSource(await this.ports.source(settings), settings);
        this.#emit('data.replaced', {});
      });
      return;
    }
    this.#cancelAsking = this.ports.clock.after(pause, () => {
      if (this.#mirror === mirror) this.#startAsking(mirror, Math.min(2 * pause, MAX_ASK_AGAIN_AFTER_MS));
    });
  }

  #startAsking(mirror: Mirror, pause = ASK_AGAIN_AFTER_MS): void {
    this.#cancelAsking?.();
    this.#askAwaited(mirror, pause).catch((error: unknown) => this.reportProblem(error));
  }

  async #saveSettings(settings: Settings): Promise<void> {
    this.ports.settings.set(settings);
    await this.#open.engine.call('useSettings', engineSettings(settings));
  }

  /** Opens the new service before saving its name: if either fails, the previous one stays in use. */
  #switchSource(source: NewsSource, settings: Settings): Promise<void> {
    const before = this.#open.source;
    return this.#whileReopening(async () => {
      await this.#closeFiles();
      try {
        await this.#openFiles(source, settings);
        this.ports.settings.set(settings);
      } catch (error) {
        await this.#closeFiles();
        await this.#reopen(before);
        throw error;
      }
      // Last, so that a service that is changed again at once gets no requests.
      this.#resumePolling();
    });
  }

  async #reopenAfter(work: FileWork): Promise<void> {
    const { source } = this.#open;
    const lock = this.#lock;
    if (!lock) throw new BroadsheetError('not_supported', 'This data is in memory and has no files.');
    await this.#whileReopening(async () => {
      await this.#closeFiles();
      let done: Restored | null = null;
      try {
        done = work(lock);
      } finally {
        await this.#reopen(source, done);
      }
    });
    this.#emit('data.replaced', {});
  }

  #reopenSoon(mirror: Mirror): void {
    this.#inTurn(async () => {
      if (this.#mirror === mirror) await this.#reopenAfter(() => null);
    }).catch((error: unknown) => this.reportProblem(error));
  }

  async #reopen(source: NewsSource, done: Restored | null = null): Promise<void> {
    try {
      await this.#openFiles(source, this.ports.settings.get());
      this.#recovery.filesOpened();
      this.#setEngineRuns(true);
      this.#resumePolling();
    } catch (error) {
      if (done && isOfTheFile(error)) {
        await this.#undo(done, source);
        throw notRestored(error);
      }
      if (!this.#closing.signal.aborted) {
        this.#setEngineRuns(false);
        this.#recovery.filesFailed(error, () => this.#retryOpening(source));
      }
      throw this.#recovery.failure ?? error;
    }
  }

  async #undo(done: Restored, source: NewsSource): Promise<void> {
    try {
      done.undo();
    } finally {
      await this.#reopen(source);
    }
  }

  #retryOpening(source: NewsSource): void {
    this.#inTurn(async () => {
      if (this.#mirror || this.#closing.signal.aborted) return;
      await this.#reopen(source);
      this.#emit('data.replaced', {});
    }).catch(() => undefined);
  }

  async #whileReopening(work: () => Promise<void>): Promise<void> {
    const reopened = Promise.withResolvers<null>();
    this.#reopening = reopened.promise;
    try {
      await work();
    } finally {
      this.#reopening = null;
      reopened.resolve(null);
    }
  }

  async #openFiles(source: NewsSource, settings: Settings): Promise<void> {
    const gateway = this.gateway.choose(settings, source);
    const plan = { source, gateway, settings: engineSettings(settings) };
    const mirror = await openMirror(this.ports, plan, {
      emit: this.#emit,
      onDeath: (error) => this.#restartEngine(mirror, error),
      onDamage: () => this.#heal(mirror),
      onSettings: (arrived) => this.#takeSettings(arrived),
      stop: this.#closing.signal,
    });
    this.#mirror = mirror;
  }

  /** Keeps settings that were changed here since the engine compared; they are stamped next. */
  #takeSettings({ patch, before }: ArrivedSettings): void {
    const current = this.ports.settings.get();
    const names = Object.keys(patch) as (keyof SharedSettings)[];
    const unchanged = names.filter((name) => isDeepStrictEqual(current[name], before[name]));
    if (unchanged.length === 0) return;
    this.changeSettings(Object.fromEntries(unchanged.map((name) => [name, patch[name]]))).catch((error: unknown) => {
      this.ports.log('warn', 'Settings of another device could not be saved', logFields(error));
    });
  }

  #gaveUp(error: unknown): void {
    this.reportProblem(error);
    this.ports.gaveUp?.(error);
    this.ports.desktop?.offerRestart?.();
  }

  /** Restarts the engine after its end: at once, or after a pause if it was started a short time ago. */
  #restartEngine(mirror: Mirror, error: unknown): void {
    const message = error instanceof Error ? error.message : 'The engine stopped without an error.';
    this.problems.report('engine', message, error instanceof Error ? traceOf(error) : '');
    const pause = this.#recovery.engineStopped(() => this.#reopenSoon(mirror));
    if (pause === 0) return;
    this.#setEngineRuns(false);
    this.ports.desktop?.offerRestart?.();
  }

  #setEngineRuns(running: boolean): void {
    if (this.#engineRuns === running) return;
    this.#engineRuns = running;
    this.#emit('engine.changed', { running });
  }

  /** Reopens damaged files, which sets aside, rebuilds or repairs what was marked as damaged. */
  #heal(mirror: Mirror): void {
    const now = this.ports.clock.now();
    // Damage that comes back at once may be the disk's: don't reopen in a loop.
    const wait = this.#healedAt === null ? 0 : HEAL_AGAIN_AFTER_MS - Math.abs(now - this.#healedAt);
    if (wait > 0) {
      this.#cancelHealing ??= this.ports.clock.after(wait, () => {
        this.#cancelHealing = null;
        if (this.#mirror === mirror) this.#heal(mirror);
      });
      return;
    }
    this.#healedAt = now;
    this.#reopenSoon(mirror);
  }

  async #closeFiles(): Promise<void> {
    const mirror = this.#mirror;
    this.#mirror = null;
    await mirror?.close();
  }

  #resumePolling(): void {
    const mirror = this.#mirror;
    if (!this.#polling || !mirror) return;
    mirror.engine.call('start').catch((error: unknown) => {
      this.ports.log('error', 'Starting to poll failed', { trace: traceOf(error) });
    });
    this.#startAsking(mirror);
  }

  readonly #emit: Emit = (event, payload) => this.#wire.emit(event, payload);
}

/** True if the file's content is the cause, not the disk, another process or closing. */
function isOfTheFile(error: unknown): boolean {
  return !(error instanceof BroadsheetError) || ['data_unreadable', 'internal'].includes(error.code);
}

function notRestored(cause: unknown): BroadsheetError {
  const why = cause instanceof BroadsheetError ? ` ${cause.message}` : '';
  const text = `The backup could not be opened, so your data is unchanged.${why} Choose another backup.`;
  return new BroadsheetError('data_unreadable', text, { cause });
}
