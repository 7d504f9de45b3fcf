import { BroadsheetError, toFailure } from '../contract/errors.ts';
import type { NewsSource, SyncStatus } from '../contract/model.ts';
import type { Clock, Ports } from '../contract/ports.ts';
import type { DataHealth, GuidePage } from '../contract/visits.ts';
import type { Session } from '../handlers/session.ts';
import { StoreReader } from '../store/reader.ts';
import { DEMO_MIRROR, type Engine } from '../sync/engine.ts';
import { GUIDE, shown } from '../sync/guide.ts';
import { dataHealth } from '../sync/health.ts';
import { pauseAt } from '../sync/pause.ts';
import { syncStatus } from '../sync/status.ts';
import type { Core } from './core.ts';
import { GatewayDoor } from './gateway.ts';
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
    engine: readingEngine(reader, source, ports.clock),
    gateway: readingGateway(ports, source),
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

function readingEngine(reader: StoreReader, source: NewsSource, clock: Clock): Engine {
  const status = (): SyncStatus =>
    syncStatus({
      source,
      reachable: null,
      pause: pauseAt(reader.pause, clock.now()),
      notices: [],
      selectedComplete: reader.selectedComplete,
      counts: reader.counts(),
      facts: (name) => reader.facts(name),
      live: () => ({ running: false, progress: null }),
      rows: (name) => reader.rows(name),
    });
  // A check reads only; what it found is told, and not kept.
  const check = async (): Promise<DataHealth> => {
    const { health, journal } = reader;
    const integrity = await health.check(clock.now());
    return reader.explained(() => dataHealth({ health, journal, status: status(), integrity }));
  };
  return {
    call: async (method) => {
      if (method === 'sync.status') return status();
      if (method === 'health.check') return check();
      if (method === 'guide.open') return storedGuide(reader);
      throw onlyReading();
    },
    start: async () => undefined,
    useGateway: () => Promise.reject(onlyReading()),
    tryGateway: () => Promise.reject(onlyReading()),
    close: async () => undefined,
  };
}

/** The gateway whose stored listings are read. */
function readingGateway(ports: Ports, source: NewsSource): GatewayDoor {
  const door = new GatewayDoor({
    ports,
    emit: () => undefined,
    engine: () => {
      throw onlyReading();
    },
    inTurn: (work) => work(),
  });
  door.choose(ports.settings.get(), source);
  return door;
}

/** The guide as the last one who asked for it kept it. Errors: `data_in_use` where nobody did. */
function storedGuide(reader: StoreReader): GuidePage {
  const page = reader.textPage(GUIDE);
  if (!page) throw onlyReading();
  return { ...shown(page), stale: toFailure(onlyReading()) };
}

function onlyReading(): BroadsheetError {
  return new BroadsheetError('data_in_use', 'This command only reads what is stored.');
}
