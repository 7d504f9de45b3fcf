import { Temporal } from 'temporal-polyfill';
import { TEN_YEARS } from '../../common/time.ts';
import { BroadsheetError, toFailure } from '../../contract/errors.ts';
import type { Args, Bodies, MethodName, MethodsOf, Result } from '../../contract/methods.ts';
import {
  isItemList,
  isModelList,
  RESOURCES,
  type AcceptableResource,
  type ResourceName,
} from '../../contract/model/resource.ts';
import type { SyncHealth, SyncProgress, SyncResult, SyncStatus } from '../../contract/model/sync-status.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Clock } from '../../contract/ports.ts';
import { openStore, type Store } from '../../store/index.ts';
import { acceptLosses } from '../jobs/confirmation.ts';
import { acceptModelList } from '../jobs/model-lists.ts';
import { byResource } from '../jobs/registry.ts';
import { ResourceRunner } from '../jobs/resource-runner.ts';
import type { Urgency } from '../jobs/sync-context.ts';
import { NotificationService } from '../notifications/notification-service.ts';
import { Polling } from '../schedule/polling.ts';
import { Schedulers } from '../schedule/scheduler.ts';
import { Activity, UserPriority, Signal } from './activity.ts';
import { createFollowUps, type FollowUps } from './follow-ups.ts';
import {
  differs,
  type EngineBase,
  type EngineBodies,
  type EngineControls,
  type EnginePorts,
  type EngineSetup,
} from './types.ts';
import { createGatewaySwitch, openNetwork, type Network } from './network.ts';
import { serviceName } from './services.ts';
import { reportMethods, storyMethods } from './document-methods.ts';
import { newsMethods } from './news-methods.ts';
import { endMarking, statusMethods } from './status-methods.ts';
import { dataMethods, deviceMethods, modelMethods, noteMethods, ruleMethods } from './user-data-methods.ts';
import { createRebuild } from './rebuild.ts';
import { dataHealth, StatusPublisher, StorageWarnings } from './status.ts';
import { createUpkeep, type Upkeep } from './upkeep.ts';

const DAY = 24 * 3_600_000;
const UNREAD_AGES: Readonly<Record<Settings['unreadAtFirst'], number | null>> = {
  day: DAY,
  week: 7 * DAY,
  everything: null,
};

interface Parts extends EngineBase {
  network: Network;
  followUps: FollowUps;
  jobs: Jobs;
  publisher: StatusPublisher;
  warnings: StorageWarnings;
  upkeep: Upkeep;
  notifications: NotificationService;
}

/** Only one may run per data folder. */
export type OpenEngine = ReturnType<typeof openEngine>;
export type EngineService = OpenEngine['service'];

/** Errors: those of opening the store, which is closed then. */
export function openEngine(setup: EngineSetup, ports: EnginePorts) {
  const store = openEngineStore(setup, ports.clock);
  try {
    return connectParts({
      ...ports,
      setup,
      store,
      settings: { current: setup.settings },
      activity: new Activity(),
      userPriority: new UserPriority(),
    });
  } catch (error) {
    store.close();
    throw error;
  }
}

function openEngineStore({ dataFolder, source, gateway, locked = false }: EngineSetup, clock: Clock): Store {
  const store = openStore({ folder: dataFolder, source: serviceName(source), now: () => clock.now(), locked });
  try {
    // Without a gateway the saved model lists stay: it may just not be configured yet.
    if (gateway) {
      store.transaction(({ schedule }) => {
        schedule.nameGateway(serviceName(gateway.source));
      });
    }
    return store;
  } catch (error) {
    store.close();
    throw error;
  }
}

function connectParts(base: EngineBase) {
  const { store, clock, log, settings, activity, setup } = base;
  chooseReadingStart(base);
  const network = openNetwork(base);
  const followUps = createFollowUps(base, network);
  const jobs = createJobs(base, network, followUps);
  const warnings = new StorageWarnings(setup.storageWarnings ?? [], store);
  const publisher = createPublisher(base, network, jobs, warnings);
  const upkeep = createUpkeep(base, network, followUps);
  const notifications = new NotificationService({
    ...base,
    zone: base.zone ?? localZone,
    settings: settings.current,
    serviceTime: network.serviceTime,
    owner: () => network.gateway.owner,
  });
  const parts: Parts = { ...base, network, followUps, jobs, publisher, warnings, upkeep, notifications };
  const methods = guard(parts, createMethods(parts));
  const schedulers = new Schedulers({
    clock,
    log,
    polling: jobs.polling,
    run: (resources) => methods['sync.run']({ urgency: 'due', resources: [...resources] }),
  });
  jobs.due.on(() => schedulers.nudge());
  const service = { ...methods, ...guard(parts, createControls(parts, schedulers)) };
  void followUps.indexing.catchUp();
  activity
    .during(() => endMarking(store, followUps.announceStatuses))
    .catch((error: unknown) => log('error', toFailure(error).message, { code: toFailure(error).code }));
  let closed: Promise<void> | null = null;
  return { store, service, close: () => (closed ??= closeParts(parts, schedulers)) };
}

function createJobs(base: EngineBase, network: Network, followUps: FollowUps) {
  const { store, clock, settings } = base;
  const [changed, progressed, due] = [new Signal(), new Signal<SyncProgress>(), new Signal()];
  const ports = {
    ...base,
    ...network,
    gateway: () => network.gateway.current,
    emit: followUps.emitAndReindex,
    keepDays: () => settings.current.keepDays,
    onWrite: followUps.itemsChanged,
    onState: changed.fire,
    onProgress: progressed.fire,
  };
  const runners = byResource((name) => new ResourceRunner(name, ports));
  const polling = new Polling({
    store,
    clock,
    runners,
    byHand: () => settings.current.polling === 'byHand',
    onReachable: due.fire,
  });
  const duesChanged = (): void => {
    changed.fire();
    due.fire();
  };
  const gatewaySwitch = createGatewaySwitch({
    gateway: network.gateway,
    store,
    runners,
    onChange: () => {
      followUps.namesChanged();
      duesChanged();
    },
  });
  return { runners, polling, gatewaySwitch, changed, progressed, due, duesChanged };
}

type Jobs = ReturnType<typeof createJobs>;

function createPublisher(base: EngineBase, network: Network, jobs: Jobs, warnings: StorageWarnings): StatusPublisher {
  const publisher = new StatusPublisher({ ...base, ...network, ...jobs, warnings });
  jobs.changed.on(() => publisher.publishSoon());
  jobs.progressed.on((progress) => publisher.publishProgress(progress));
  return publisher;
}

function createSync({ store, userPriority, jobs, publisher, followUps, notifications, upkeep }: Parts) {
  const { indexing, visits } = followUps;

  async function round(urgency: Urgency, resources: readonly ResourceName[]): Promise<SyncResult> {
    if (!store.queries.selectedSet.complete) indexing.prepare();
    const results = await jobs.polling.round(urgency, resources);
    // The sync may have changed whether the service is reachable.
    publisher.publishSoon();
    visits.afterRound(results);
    notifications.afterRound(results);
    await upkeep.afterSync();
    const { failure } = indexing;
    const ok = failure === null && Object.values(results).every(({ status }) => status !== 'failed');
    return { ok, resources: results, counts: publisher.totals, ...(failure && { indexing: failure }) };
  }

  return (urgency: Urgency, resources: readonly ResourceName[]): Promise<SyncResult> => {
    const isWaitedFor = urgency !== 'due' && !resources.every(isModelList);
    return isWaitedFor ? userPriority.during(() => round(urgency, resources)) : round(urgency, resources);
  };
}

function syncMethods(parts: Parts) {
  const { store, clock, jobs, publisher, upkeep } = parts;
  const { polling, duesChanged } = jobs;
  const run = createSync(parts);
  const statusAfterChange = (): SyncStatus => {
    duesChanged();
    return publisher.status;
  };
  const health = (): SyncHealth => dataHealth({ queries: store.queries, status: publisher.status });
  return {
    'sync.status': () => publisher.status,
    'sync.run': ({ urgency, resources }) => run(urgency, resources ?? RESOURCES),
    'sync.pause': ({ untilMs }) => {
      if (untilMs !== null && untilMs - clock.now() > TEN_YEARS) {
        throw new BroadsheetError('invalid_argument', 'sync.pause: untilMs: must be at most ten years ahead');
      }
      polling.pauseUntil(untilMs);
      return statusAfterChange();
    },
    'sync.resume': () => {
      polling.endPause();
      return statusAfterChange();
    },
    'sync.accept': ({ resource }) => {
      acceptSmaller(parts, resource);
      return statusAfterChange();
    },
    'sync.attend': ({ to }) => {
      polling.attend(to);
      duesChanged();
      return {};
    },
    'health.get': health,
    'health.check': async () => {
      await upkeep.check();
      return health();
    },
  } satisfies Partial<EngineBodies>;
}

function createMethods(parts: Parts) {
  const { store, emit, clock, network, followUps, publisher, warnings, upkeep } = parts;
  const { announceStatuses, visits } = followUps;
  const ports = { ...parts, ...network, announceStatuses, emit: followUps.emitAndReindex };
  return {
    ...syncMethods(parts),
    ...newsMethods({ ...ports, visits }),
    ...statusMethods({ store, announceStatuses }),
    ...reportMethods(ports),
    ...storyMethods({ ...ports, now: () => clock.now() }),
    ...noteMethods({ store, emit }),
    ...modelMethods({ store, emit, gateway: network.gateway, namesChanged: followUps.namesChanged }),
    ...ruleMethods({ clock, store, onChange: followUps.rulesChanged }),
    ...deviceMethods(upkeep.sharing),
    ...dataMethods({ ...ports, warnings, onChange: () => publisher.publishSoon() }),
  } satisfies Bodies<MethodsOf<'engine'>>;
}

function acceptSmaller({ store, clock, network, followUps }: Parts, resource: AcceptableResource): void {
  if (isItemList(resource)) {
    followUps.itemsChanged(acceptLosses(resource, store, network.serviceTime.forDeleting ?? 0));
  } else {
    const { owner } = network.gateway;
    acceptModelList(resource, { store, emit: followUps.emitAndReindex, owner, now: clock.now() });
  }
}

function createControls(parts: Parts, schedulers: Schedulers): EngineControls {
  const { setup, settings, network, jobs, upkeep, notifications } = parts;
  const { sharing } = upkeep;
  const rebuild = createRebuild({
    ...parts,
    ...network,
    mirror: serviceName(setup.source),
    pausedUntil: () => network.pausedUntil('items'),
    keepDays: () => settings.current.keepDays,
    owner: () => network.gateway.owner ?? '',
    onProgress: (resource, progress) => jobs.runners[resource].showProgress(progress),
  });
  return {
    start: async () => {
      notifications.start();
      schedulers.start();
      upkeep.start();
    },
    useGateway: (gateway) => jobs.gatewaySwitch.use(gateway),
    tryGateway: (gateway) => jobs.gatewaySwitch.try(gateway),
    useSettings: async (changed) => {
      const before = settings.current;
      settings.current = changed;
      network.http.useProxy(changed.proxy);
      if (differs(before, changed, 'unreadAtFirst')) chooseReadingStart(parts);
      if (differs(before, changed, 'notify', 'quietHours')) notifications.use(changed);
      if (differs(before, changed, 'polling', 'proxy')) jobs.duesChanged();
    },
    shareFolder: async (choice) => ({ status: await sharing.use(choice), keys: sharing.keys }),
    useFolderKeys: (keys) => sharing.useKeys(keys),
    rebuild,
  };
}

type Guarded<T> = {
  [N in keyof T]: N extends MethodName ? (args: Args<N>) => Promise<Result<N>> : T[N];
};

/** Sends events before the reply, so that a caller has what its call changed. */
function guard<T extends object>({ activity, publisher }: Parts, bodies: T): Guarded<T> {
  const calls = Object.entries(bodies).map(([name, body]: [string, (args: unknown) => unknown]) => {
    const call = (args: unknown): Promise<unknown> =>
      activity.during(async () => {
        try {
          return await body(args);
        } finally {
          publisher.flush();
        }
      });
    return [name, call];
  });
  return Object.fromEntries(calls) as Guarded<T>;
}

async function closeParts(
  { store, activity, network, followUps, upkeep, notifications }: Parts,
  schedulers: Schedulers,
): Promise<void> {
  activity.refuse();
  schedulers.stop();
  notifications.stop();
  // First, because syncs wait for the indexes.
  const ended = Promise.all([followUps.indexing.stop(), upkeep.stop()]);
  await network.http.close();
  await activity.whenSettled();
  await ended;
  upkeep.saveLog();
  store.close();
}

/** Items of a new service that start as unread: the reader may choose after the first download (docs/decisions/046). */
function chooseReadingStart({ store, settings, emit, clock }: EngineBase): void {
  const age = UNREAD_AGES[settings.current.unreadAtFirst];
  if (!store.transaction(({ readingStart }) => readingStart.choose(age))) return;
  emit('marks.changed', { ids: null });
  emit('counts.changed', store.queries.items.counts(clock.now()));
}

function localZone(): string {
  return Temporal.Now.timeZoneId();
}
