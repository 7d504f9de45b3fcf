import { onTestFinished } from 'vitest';
import { READER_SETTINGS } from './reader-settings.ts';
import type { Queries, Store } from '../../src-main/store/index.ts';
import { openEngine, type EngineService, type OpenEngine } from '../../src-main/sync/engine/engine.ts';
import type { Emit } from '../../src-main/contract/events.ts';
import { type EngineSetup, engineSettings, type EngineSettings } from '../../src-main/sync/engine/types.ts';
import type { EngineGateway } from '../../src-main/sync/engine/services.ts';
import type { CallOf } from '../../src-main/core/threads.ts';
import { startDemoService, type DemoOptions, type DemoService } from '../../src-main/demo/service.ts';
import { fakeClock, type FakeClock } from './clock.ts';
import type { AtEnd } from './open-once.ts';
import type { HeardEvent, TestApp, LogLine } from './test-app.ts';

/** An engine without a core, for tests that use its store or timeouts directly. It is closed after the test. */
export interface TestEngine {
  engine: EngineHere;
  clock: FakeClock;
  /** The settings that it was opened with. */
  settings: EngineSettings;
  log: LogLine[];
  events: HeardEvent[];
  /** The stored data, on the engine's connection. */
  queries: Queries;
  /** Calls methods like an app: those that only read, and the engine's own. */
  call: TestApp['call'];
}

export interface TestEngineOptions {
  address: string;
  /** Default: none. */
  gateway?: EngineGateway | null;
  clock?: FakeClock;
  folder?: string;
  timeouts?: EngineSetup['timeouts'];
  /** Overrides of the default settings. */
  settings?: Partial<EngineSettings>;
  /** Default: UTC. */
  zone?: () => string;
  findsNews?: boolean;
  /** Default: `onTestFinished`. */
  atEnd?: AtEnd;
}

interface EngineHere extends EngineService {
  store: Store;
  call: CallOf<EngineService>;
  close(): Promise<void>;
}

/** An engine without a thread: its functions, also by name. */
export function engineHere({ service, store, close }: OpenEngine): EngineHere {
  const bodies = service as Record<keyof EngineService, (args: unknown) => Promise<unknown>>;
  const call = (name: keyof EngineService, args?: unknown): Promise<unknown> => bodies[name](args);
  return { ...service, store, call: call as CallOf<EngineService>, close };
}

export function openTestEngine({
  address,
  gateway = null,
  clock = fakeClock(),
  folder = ':memory:',
  timeouts,
  settings: wanted = {},
  zone = () => 'UTC',
  findsNews = false,
  atEnd = onTestFinished,
}: TestEngineOptions): TestEngine {
  const log: LogLine[] = [];
  const events: HeardEvent[] = [];
  const emit: Emit = (event, payload) => void events.push({ event, payload } as HeardEvent);
  const source = { address, demo: false, from: 'option' } as const;
  const settings = { ...engineSettings(READER_SETTINGS), ...wanted };
  const opened = openEngine(
    { dataFolder: folder, source, gateway, version: '1.2.3', settings, findsNews, ...(timeouts && { timeouts }) },
    { clock, log: (level, message, fields = {}) => void log.push({ level, message, fields }), emit, zone },
  );
  const engine = engineHere(opened);
  atEnd(() => engine.close());
  const { queries } = engine.store;
  const call: TestApp['call'] = async (method, args) => {
    if (method === 'items.page') {
      const { query, cursor, limit } = args as { query: never; cursor?: string; limit: number };
      return queries.items.page(query, cursor, limit, clock.now()) as never;
    }
    return engine.call(method as 'sync.run', args as never) as never;
  };
  return { engine, clock, settings, log, events, queries, call };
}

/** A demo service and an engine that syncs with it, with one clock. Both are closed after the test. */
export async function openServedEngine(
  demo: Partial<DemoOptions>,
  { clock = fakeClock(), ...options }: Partial<TestEngineOptions> = {},
): Promise<TestEngine & { service: DemoService }> {
  const service = await startDemoService({ clock, ...demo });
  onTestFinished(() => service.close());
  return { ...openTestEngine({ address: service.newsAddress, clock, ...options }), service };
}
