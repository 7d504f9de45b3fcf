import { BroadsheetError, toFailure } from '../contract/errors.ts';
import type { GatewaySource } from '../contract/model/model.ts';
import { isModelList, type ResourceName } from '../contract/model/resource.ts';
import type { NewsSource, StorageWarning, SyncStatus, GuidePage } from '../contract/model/sync-status.ts';
import type { Ports } from '../contract/ports.ts';
import { openCompleteQueries, openQueries, standingWarnings, storedServices, type Queries } from '../store/index.ts';
import type { EngineBodies } from '../sync/engine/types.ts';
import { DEMO, HARSH_DEMO, serviceName } from '../sync/engine/services.ts';
import { readGuide } from '../sync/engine/guide.ts';
import { pauseAt } from '../sync/schedule/due-rules.ts';
import { endOfPause, gatewayGateName, newsGateName } from '../sync/schedule/service-gates.ts';
import { lastComparison, folderStatus } from '../sync/devices/last-comparison.ts';
import { dataHealth, syncStatus } from '../sync/engine/status.ts';
import { readHere } from './reads.ts';
import type { Core, Engine, Session } from './types.ts';
import { GatewayCredentials } from './credentials/gateway-credentials.ts';
import { createWire } from './wire.ts';
import { Problems } from './log.ts';

interface ReadingCore extends Core {
  /** The service in use, if another one is read. */
  insteadOf: string | null;
}

/** Unless `current`, reads the previous service until the one in use is complete (docs/decisions/046). */
export async function createReadingCore(ports: Ports, { current = false } = {}): Promise<ReadingCore> {
  const queries = (current ? openQueries : openCompleteQueries)(ports.dataFolder);
  const source = storedService(queries.mirror.get('source') ?? '');
  const gateway = readingGateway(ports, source, queries);
  const { polling } = ports.settings.get();
  const session: Session = {
    ports,
    queries,
    longRead: readHere(queries),
    source,
    engine: readingEngine(queries, { source, gateway: gateway.gateway.source, polling }, ports),
    gateway,
    problems: new Problems(ports),
    goTo: () => undefined,
    takeTarget: () => null,
    lastPlace: {
      get: () => ({ place: null, savedAt: null }),
      save: () => Promise.reject(onlyReading()),
    },
    changeSettings: () => Promise.reject(onlyReading()),
    withFilesClosed: () => Promise.reject(onlyReading()),
  };
  const { wire, shut } = createWire(session);
  const inUse = storedServices(ports.dataFolder).news;
  return {
    insteadOf: inUse === queries.mirror.get('source') ? null : inUse,
    wire,
    goTo: () => undefined,
    reportProblem: () => undefined,
    start: () => undefined,
    close: async () => {
      if (shut()) queries.close();
    },
  };
}

/** The demo has no address while it isn't running. */
function storedService(name: string): NewsSource & GatewaySource {
  if (name === DEMO) return { address: '', demo: true, from: 'demo' };
  if (name === HARSH_DEMO) return { address: '', demo: true, harsh: true, from: 'demo' };
  return { address: name, demo: false, from: 'settings' };
}

function readingEngine(
  queries: Queries,
  { polling, ...services }: Pick<SyncStatus, 'source' | 'gateway' | 'polling'>,
  ports: Ports,
): Engine {
  const { clock } = ports;
  const pausedUntil = (name: ResourceName): number => {
    const { source, gateway } = services;
    const gate = isModelList(name) ? gateway && gatewayGateName(gateway) : newsGateName(source);
    return gate === null ? 0 : endOfPause(queries.schedule.servicePause(gate), clock.now());
  };
  const status = (): SyncStatus =>
    syncStatus({
      ...services,
      reachable: null,
      pause: pauseAt(queries.schedule.pause(), clock.now()),
      polling,
      storageWarnings: storageWarningsOf(ports, queries),
      queries,
      now: clock.now(),
      state: (name) => queries.schedule.state(name),
      pausedUntil,
      live: () => ({ running: false, progress: null }),
      rows: (name) => queries.health.countRows(name),
    });
  const stored = {
    'sync.status': status,
    'health.get': () => dataHealth({ queries, status: status() }),
    'health.check': async () => {
      const found = await queries.health.check(clock.now());
      if (!found) return dataHealth({ queries, status: status() });
      const { at, sound, messages } = found;
      return dataHealth({ queries, status: status(), integrity: { at, sound, messages } });
    },
    'devices.get': () => folderStatus(queries, lastComparison(queries)),
    'guide.open': () => storedGuide(queries),
  } satisfies Partial<EngineBodies>;
  const call = async (name: string): Promise<unknown> => {
    const body = (stored as Record<string, () => unknown>)[name];
    if (!body) throw onlyReading();
    return body();
  };
  return { call: call as Engine['call'] };
}

/** Uses the configured gateway, or the last one that was synced while nothing of the configured one is saved. */
function readingGateway(ports: Ports, source: NewsSource, queries: Queries): GatewayCredentials {
  const stored = queries.mirror.get('gateway');
  const gateway: Ports['gateway'] = (settings, news) => {
    const named = ports.gateway(settings, news);
    return stored === null || (named && queries.models.isSaved(serviceName(named))) ? named : storedService(stored);
  };
  const credentials = new GatewayCredentials({
    ports: { gateway, keys: ports.keys },
    emit: () => undefined,
    engine: () => {
      throw onlyReading();
    },
    inTurn: (work) => work(),
  });
  credentials.choose(ports.settings.get(), source);
  return credentials;
}

function storedGuide(queries: Queries): GuidePage {
  const guide = readGuide(queries);
  if (!guide) throw onlyReading();
  return { ...guide, stale: toFailure(onlyReading()) };
}

function storageWarningsOf({ dataFolder, settings }: Ports, { health }: Queries): StorageWarning[] {
  return [
    ...(settings.storageWarnings ?? []).filter(({ setAsideAs }) => setAsideAs === null),
    ...standingWarnings(dataFolder),
    ...health.unreadable().map((file) => ({ file, setAsideAs: null, reason: 'unreadable' })),
  ];
}

function onlyReading(): BroadsheetError {
  return new BroadsheetError('data_in_use', 'This command only reads saved data.');
}
