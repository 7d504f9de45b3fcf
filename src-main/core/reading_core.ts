import { BroadsheetError } from '../contract/errors.ts';
import type { NewsSource } from '../contract/model.ts';
import type { Ports } from '../contract/ports.ts';
import type { Session } from '../handlers/session.ts';
import { StoreReader } from '../store/reader.ts';
import { DEMO_MIRROR, type Engine } from '../sync/engine.ts';
import { syncStatus } from '../sync/status.ts';
import type { Core } from './core.ts';
import { Listeners } from './listeners.ts';
import { createWire } from './wire.ts';

/**
 * Reads what another process may be writing: no engine, no lock, no file made or changed. Methods that write fail with
 * `data_in_use`. Errors: `not_found` where nothing is stored yet.
 */
export async function createReadingCore(ports: Ports): Promise<Core> {
  const reader = StoreReader.open(ports.dataFolder);
  const source = storedSource(reader.source);
  const session: Session = {
    ports,
    reader,
    source,
    engine: readingEngine(reader, source),
    changeSettings: () => Promise.reject(onlyReading()),
  };
  const { wire, shut } = createWire(session, new Listeners(ports.log));
  return {
    wire,
    start: () => undefined,
    close: async () => {
      if (shut()) reader.close();
    },
  };
}

/** The service that the stored mirror is of. The demo service has no address while nobody runs it. */
function storedSource(mirror: string): NewsSource {
  if (mirror === DEMO_MIRROR) return { address: '', demo: true, from: 'demo' };
  return { address: mirror, demo: false, from: 'settings' };
}

function readingEngine(reader: StoreReader, source: NewsSource): Engine {
  return {
    call: async (method) => {
      if (method !== 'sync.status') throw onlyReading();
      return syncStatus({
        source,
        reachable: null,
        notices: [],
        selectedComplete: reader.selectedComplete,
        counts: reader.counts(),
        facts: (name) => reader.facts(name),
        live: () => ({ running: false, progress: null }),
      });
    },
    start: async () => undefined,
    close: async () => undefined,
  };
}

function onlyReading(): BroadsheetError {
  return new BroadsheetError('data_in_use', 'This command only reads what is stored.');
}
