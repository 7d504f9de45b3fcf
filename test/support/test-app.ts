import { cpSync } from 'node:fs';
import { afterAll, onTestFinished } from 'vitest';
import { NO_DESKTOP, type Capabilities } from '../../src-main/contract/model/capabilities.ts';
import type { Args, MethodName, Reply, Result } from '../../src-main/contract/methods.ts';
import { fromFailure } from '../../src-main/contract/errors.ts';
import { EVENT_NAMES, type EventName, type Events } from '../../src-main/contract/events.ts';
import type { GatewaySource } from '../../src-main/contract/model/model.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import { READER_SETTINGS } from './reader-settings.ts';
import type { KeyStore, Ports } from '../../src-main/contract/ports.ts';
import { createCore } from '../../src-main/core/core.ts';
import type { Core } from '../../src-main/core/types.ts';
import { startDemoService, type DemoOptions, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock, type FakeClock } from './clock.ts';
import { temporaryFolder } from './folders.ts';
import { memoryKeys, type OpenKeyStore } from './keys.ts';
import type { AtEnd } from './open-once.ts';
import { ENGINE_MODULE } from './built-node.ts';

export interface LogLine {
  level: string;
  message: string;
  fields: Record<string, unknown>;
}

export type HeardEvent = { [E in EventName]: { event: E; payload: Events[E] } }[EventName];

/** A service, a core that syncs with it, and the core's events. Everything is closed after the test, or with its scene. */
export interface TestApp {
  readonly service: DemoService;
  readonly clock: FakeClock;
  /** `:memory:`, or the path of the data. */
  readonly folder: string;
  readonly ports: Ports;
  readonly core: Core;
  readonly keys: OpenKeyStore;
  readonly events: HeardEvent[];
  readonly log: LogLine[];
  /** Calls a method and throws its failure. */
  call<M extends MethodName>(method: M, args: Args<M>): Promise<Result<M>>;
  reply<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>>;
  /** The payloads of one event so far. */
  heard<E extends EventName>(event: E): Events[E][];
  /** Closes the core and opens another one in the same folder. */
  reopen(): Promise<void>;
}

export interface TestAppOptions {
  content?: DemoOptions['content'];
  /** For how many days there has been living content. Default 10: each has 480 items. */
  days?: number;
  /** The initial time of the clock, RFC 3339. */
  start?: string;
  /** Default: in memory. `path` may have data of another core. */
  folder?: 'memory' | 'temporary' | { path: string };
  /** Runs the engine in a separate thread with the real clock; may name another module. */
  thread?: boolean | URL;
  intercept?: DemoOptions['intercept'];
  harsh?: boolean;
  /** The number of models, and the key that the gateway wants. */
  models?: number;
  modelsKey?: string;
  /** As a host with the built-in service has it: saved data don't belong to a port. */
  builtIn?: boolean;
  settings?: Partial<Settings>;
  capabilities?: Partial<Capabilities>;
  /** As a host with a page does. */
  keepsService?: boolean;
  /** The address that the core uses, if it is not the service's own: for example a proxy that injects faults. */
  address?: (service: DemoService) => string;
  /** The gateway. Default: none, unless set in the settings. */
  gateway?: (service: DemoService) => GatewaySource | null;
  /** Default: `onTestFinished`. */
  atEnd?: AtEnd;
}

const DAY = 86_400_000;

export async function openTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { atEnd = onTestFinished } = options;
  const clock = fakeClock(options.start);
  const service = await startService(clock, options);
  const folder = folderOf(options);
  const log: LogLine[] = [];
  const events: HeardEvent[] = [];
  const address = options.address?.(service) ?? service.newsAddress;
  const keys = memoryKeys();
  const gateway = options.gateway?.(service) ?? null;
  const ports = createPorts({ folder, clock, log, address, gateway, keys }, options);

  async function openCore(): Promise<Core> {
    const opened = await createCore(ports);
    for (const event of EVENT_NAMES) opened.wire.on(event, (payload) => events.push({ event, payload } as HeardEvent));
    return opened;
  }
  let core = await openCore();
  atEnd(() => core.close());

  const reply: TestApp['reply'] = (method, args) => core.wire.call(method, args);
  return {
    service,
    clock,
    folder,
    ports,
    keys,
    log,
    events,
    reply,
    get core() {
      return core;
    },
    call: async (method, args) => {
      const answer = await reply(method, args);
      if (answer.ok) return answer.value;
      throw fromFailure(answer.error);
    },
    heard: (name) => events.filter(({ event }) => event === name).map(({ payload }) => payload as never),
    reopen: async () => {
      await core.close();
      core = await openCore();
    },
  };
}

/**
 * Fills an app once for the tests of a file. Returns how each opens its own: with a copy of the files, and beside a service
 * with the same content. A first sync takes ten times as long.
 */
export function saveApp(
  options: TestAppOptions,
  fill: (app: TestApp) => Promise<unknown>,
): (more?: TestAppOptions) => Promise<TestApp> {
  // The port is another one each time.
  const common: TestAppOptions = { ...options, builtIn: true };
  const saved = temporaryFolder(afterAll);
  const save = async (): Promise<void> => {
    const app = await openTestApp({ ...common, folder: { path: saved } });
    await fill(app);
    await app.core.close();
  };
  let saving: Promise<void> | undefined;
  return async (more = {}) => {
    await (saving ??= save());
    const path = temporaryFolder();
    cpSync(saved, path, { recursive: true });
    return openTestApp({ ...common, ...more, folder: { path } });
  };
}

function folderOf({ folder = 'memory', thread, atEnd }: TestAppOptions): string {
  if (typeof folder === 'object') return folder.path;
  return folder === 'temporary' || thread ? temporaryFolder(atEnd) : ':memory:';
}

async function startService(
  clock: FakeClock,
  { content, days = 10, intercept, harsh = false, models, modelsKey, atEnd = onTestFinished }: TestAppOptions,
): Promise<DemoService> {
  const service = await startDemoService({
    clock,
    content: content ?? { selected: 40, days: 5 },
    since: clock.now() - days * DAY,
    harsh,
    ...(intercept && { intercept }),
    ...(models !== undefined && { models }),
    ...(modelsKey !== undefined && { modelsKey }),
  });
  atEnd(() => service.close());
  return service;
}

interface PortFacts {
  folder: string;
  clock: FakeClock;
  log: LogLine[];
  address: string;
  gateway: GatewaySource | null;
  keys: KeyStore;
}

function createPorts(
  { folder, clock, log, address, gateway, keys }: PortFacts,
  { thread, keepsService, builtIn = false, settings: given, capabilities }: TestAppOptions,
): Ports {
  let settings: Settings = { ...READER_SETTINGS, ...given };
  return {
    dataFolder: folder,
    ...(thread && { engineModule: thread === true ? ENGINE_MODULE : thread }),
    clock,
    log: (level, message, fields = {}) => void log.push({ level, message, fields }),
    settings: { get: () => settings, set: (changed) => void (settings = changed) },
    capabilities: {
      ...NO_DESKTOP,
      version: '1.2.3',
      platform: 'linux',
      locale: 'en',
      ...capabilities,
    },
    source: async ({ newsAddress }) =>
      newsAddress === null
        ? { address, demo: builtIn, from: builtIn ? 'demo' : 'option' }
        : { address: newsAddress, demo: false, from: 'settings' },
    gateway: ({ modelsAddress }) =>
      modelsAddress === null ? gateway : { address: modelsAddress, demo: false, from: 'settings' },
    keys,
    ...(keepsService && { keepsService }),
    openExternal: async () => undefined,
  };
}
