import { onTestFinished } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import type { Queries } from '../../src-main/store/index.ts';
import { SyncEngine } from '../../src-main/sync/engine/engine.ts';
import type { Emit } from '../../src-main/contract/events.ts';
import type { EngineSetup } from '../../src-main/sync/engine/types.ts';
import { engineSettings, type EngineSettings } from '../../src-main/sync/engine/engine-settings.ts';
import type { EngineGateway } from '../../src-main/sync/engine/gateway-source.ts';
import { fakeClock, type FakeClock } from './clock.ts';
import type { HeardEvent, TestApp, LogLine } from './test-app.ts';

/** An engine without a core around it, for tests that lay hands on its store or its timeouts. It ends with the test. */
export interface TestEngine {
  engine: SyncEngine;
  clock: FakeClock;
  /** Those that it was opened with. */
  settings: EngineSettings;
  log: LogLine[];
  events: HeardEvent[];
  /** What is stored, on the engine's own connection. */
  queries: Queries;
  /** As a app calls, for the methods that only read, and for the engine's own. */
  call: TestApp['call'];
}

export interface TestEngineOptions {
  address: string;
  /** None if not said. */
  gateway?: EngineGateway | null;
  clock?: FakeClock;
  folder?: string;
  timeouts?: EngineSetup['timeouts'];
  /** The usual ones, but for these. */
  settings?: Partial<EngineSettings>;
  /** UTC if not said. */
  zone?: () => string;
}

export function openTestEngine({
  address,
  gateway = null,
  clock = fakeClock(),
  folder = ':memory:',
  timeouts,
  settings: wanted = {},
  zone = () => 'UTC',
}: TestEngineOptions): TestEngine {
  const log: LogLine[] = [];
  const events: HeardEvent[] = [];
  const emit: Emit = (event, payload) => void events.push({ event, payload } as HeardEvent);
  const source = { address, demo: false, from: 'option' } as const;
  const settings = { ...engineSettings(DEFAULT_SETTINGS), ...wanted };
  const engine = new SyncEngine(
    { dataFolder: folder, source, gateway, version: '1.2.3', settings, ...(timeouts && { timeouts }) },
    { clock, log: (level, message, fields = {}) => void log.push({ level, message, fields }), emit, zone },
  );
  onTestFinished(() => engine.close());
  const { queries } = engine.store;
  const call: TestApp['call'] = async (method, args) => {
    if (method === 'items.page') {
      const { query, cursor, limit } = args as { query: never; cursor?: string; limit: number };
      return queries.items.page(query, cursor, limit, clock.now());
    }
    return engine.call(method as 'sync.run', args as never);
  };
  return { engine, clock, settings, log, events, queries, call };
}
