import { Temporal } from 'temporal-polyfill';
import { createHttpClient, type HttpClient } from '../../clients/http/client.ts';
import { createNewsClient } from '../../clients/news/client.ts';
import type { Args, Result } from '../../contract/methods.ts';
import { toFailure } from '../../contract/errors.ts';
import type { MarksKey } from '../../contract/model/marks-folder.ts';
import { REPORT_RESOURCE } from '../../contract/model/report.ts';
import type { Emit, Events } from '../../contract/events.ts';
import { isItemList, isModelList, RESOURCES, type ResourceName } from '../../contract/model/resource.ts';
import type { SyncProgress, SyncResult } from '../../contract/model/sync-status.ts';
import type { Store, WriteSummary } from '../../store/index.ts';
import { InFlight } from './in-flight.ts';
import { DailyBackup } from './daily-backup.ts';
import { MarksSharing, type MarksChoice } from '../marks/marks-sharing.ts';
import { announceMarks, marksFolderMethods } from './methods/marks-folder-methods.ts';
import { ruleMethods } from './methods/rule-methods.ts';
import { dataMethods } from './methods/data-methods.ts';
import { noteMethods } from './methods/note-methods.ts';
import { reportMethods } from './methods/report-methods.ts';
import type { Engine, EngineBodies, EngineMethod, EnginePorts, EngineSetup } from './types.ts';
import { differs, type EngineSettings } from './engine-settings.ts';
import { UserPriority, isWaitedFor } from './user-priority.ts';
import type { EngineGateway, GatewayTrial } from './gateway-source.ts';
import { GatewayConnection } from './gateway-connection.ts';
import { Guide } from './guide.ts';
import type { Indexing } from './indexing.ts';
import { IntegrityChecks } from './integrity-checks.ts';
import { emitMarked, endMarking, statusMethods } from './methods/status-methods.ts';
import { newsMethods } from './methods/news-methods.ts';
import { LogSaver } from './log-saver.ts';
import { mirrorName } from './mirror-name.ts';
import { modelMethods } from './methods/model-methods.ts';
import { NotificationService } from '../notifications/notification-service.ts';
import { OnlineSearch } from './online-search.ts';
import { openEngineStore } from './open-store.ts';
import { ParkedMirrors } from './parked-mirrors.ts';
import { Polling } from '../schedule/polling.ts';
import { syncMethods } from './methods/sync-methods.ts';
import { chooseReadingStart } from './reading-start.ts';
import { acceptLosses } from '../jobs/confirmation.ts';
import { acceptModelList } from '../jobs/model-lists.ts';
import { ResourceRunner } from '../jobs/resource-runner.ts';
import { Rebuild } from './rebuild.ts';
import { Retention } from './retention.ts';
import type { Urgency } from '../schedule/types.ts';
import { Schedulers } from '../schedule/schedulers.ts';
import { newsGateName, ServiceGates } from '../schedule/service-gates.ts';
import { ServiceTimes } from '../schedule/service-time.ts';
import { byResource, namedIds } from './status.ts';
import { StatusPublisher } from './status-publisher.ts';
import { StorageWarnings } from './storage-warnings.ts';
import { storyMethods } from './methods/story-methods.ts';
import { Visits } from './visits.ts';

export class SyncEngine implements Engine {
  readonly store: Store;
  readonly #emit: Emit;
  readonly #http: HttpClient;
  readonly #runners: Record<ResourceName, ResourceRunner>;
  readonly #polling: Polling;
  readonly #gateway: GatewayConnection;
  readonly #schedulers: Schedulers;
  readonly #indexing: Indexing;
  readonly #visits: Visits;
  readonly #notifications: NotificationService;
  readonly #retention: Retention;
  readonly #rebuild: Rebuild;
  readonly #parkedMirrors: ParkedMirrors;
  readonly #backup: DailyBackup;
  readonly #integrity: IntegrityChecks;
  readonly #logSaver: LogSaver;
  readonly #publisher: StatusPublisher;
  readonly #marks: MarksSharing;
  readonly #bodies: EngineBodies;
  readonly #userPriority = new UserPriority();
  readonly #inFlight = new InFlight();
  #settings: EngineSettings;
  #polls = false;
  #closed: Promise<void> | null = null;

  /** Errors: those of opening the store. */
  constructor(setup: EngineSetup, enginePorts: EnginePorts) {
    const { clock, log, emit, checkFiles, onDamage, onSettings, zone = localZone, startSearchThread } = enginePorts;
    const { dataFolder, source, gateway, version, settings, timeouts } = setup;
    this.#settings = settings;
    this.#emit = emit;
    const { store, indexing } = openEngineStore(dataFolder, mirrorName(source), clock, {
      log,
      gateway,
      isHeld: () => this.#isFirstLoad,
      ...(startSearchThread && { startSearchThread }),
      locked: setup.locked ?? false,
      onRules: () => this.#rulesMatched(),
      onMentions: (ids) => emit('items.changed', { added: 0, revised: 0, withdrawn: 0, ids: namedIds(ids) }),
      onDamage: () => this.#integrity.damageMet(),
    });
    this.store = store;
    chooseReadingStart(store, settings.unreadAtFirst, emit);
    this.#indexing = indexing;
    const { proxy } = settings;
    const times = new ServiceTimes(clock);
    this.#http = createHttpClient({
      appVersion: version,
      clock,
      log,
      proxy,
      onDate: (address, date) => times.at(address).note(date),
      ...(timeouts && { timeouts }),
    });
    const gates = new ServiceGates({ store: this.store, clock, log });
    const newsGate = newsGateName(source);
    this.#gateway = new GatewayConnection(gateway, {
      http: this.#http,
      store: this.store,
      gates,
      runner: (modelList) => this.#runners[modelList],
      onChange: () => {
        this.#namesChanged();
        this.#duesChanged();
      },
    });
    const ports = {
      store: this.store,
      gateway: () => this.#gateway.current,
      news: createNewsClient({ http: this.#http, baseAddress: source.address, gate: gates.of(newsGate) }),
      pausedUntil: (name: ResourceName) =>
        isModelList(name) ? this.#gateway.pausedUntil : gates.pausedUntil(newsGate),
      clock,
      serviceTime: times.at(source.address),
      gatewayTime: () => times.at(this.#gateway.source?.address ?? ''),
      log,
      emit: this.#emitAndReindex,
      userPriority: this.#userPriority,
      pace: () => this.#settings.polling,
      keepDays: () => this.#settings.keepDays,
      onWrite: ({ older: _, ...summary }: WriteSummary) => this.#itemsChanged(summary),
      onState: () => this.#publisher.publishSoon(),
      onProgress: (progress: SyncProgress) => this.#publisher.publishProgress(progress),
    };
    this.#runners = byResource((name) => new ResourceRunner(name, ports));
    this.#visits = new Visits(ports);
    this.#notifications = new NotificationService({ ...ports, zone, settings, owner: () => this.#gateway.owner });
    this.#retention = new Retention({
      ...ports,
      mayGoOn: () => !this.#inFlight.closing && this.#isIdle,
      onDrop: () => this.#itemsChanged({ added: 0, revised: 0, withdrawn: 0, ids: null }),
    });
    this.#rebuild = new Rebuild({
      ...ports,
      mirror: mirrorName(source),
      pausedUntil: () => gates.pausedUntil(newsGate),
      owner: () => this.#gateway.owner ?? '',
    });
    this.#parkedMirrors = new ParkedMirrors({
      folder: dataFolder,
      deletionTime: () => ports.serviceTime.forDeleting,
      log,
      keepServicesDays: () => this.#settings.keepServicesDays,
    });
    this.#backup = new DailyBackup(ports);
    this.#integrity = new IntegrityChecks({ ...ports, checkFiles, onDamage: onDamage ?? (() => undefined) });
    this.#logSaver = new LogSaver(ports);
    this.#polling = new Polling({ ...ports, runners: this.#runners, onReachable: () => this.#schedulers.nudge() });
    const warnings = new StorageWarnings(setup.storageWarnings ?? [], store);
    this.#publisher = new StatusPublisher({
      ...ports,
      source,
      storageWarnings: warnings,
      gateway: this.#gateway,
      polling: this.#polling,
      runners: this.#runners,
      calls: this.#inFlight,
      emit,
    });
    this.#schedulers = new Schedulers({
      clock,
      log,
      polling: this.#polling,
      run: (resources) => this.call('sync.run', { urgency: 'due', resources: [...resources] }),
    });
    const marked = emitMarked(store, emit);
    this.#marks = new MarksSharing({
      store,
      clock,
      log,
      now: () => ports.serviceTime.now,
      keys: setup.marksKeys ?? [],
      settings: () => this.#settings.shared,
      ...(onSettings && { onSettings }),
      onApplied: announceMarks({ emit, marked, rulesChanged: () => this.#rulesChanged() }),
    });
    this.#bodies = {
      ...syncMethods({
        ...ports,
        polling: this.#polling,
        status: () => this.#publisher.status,
        run: (urgency, resources) => this.#run(urgency, resources),
        accept: (resource) => {
          if (isItemList(resource)) {
            ports.onWrite(acceptLosses(resource, store, ports.serviceTime.forDeleting ?? 0));
          } else {
            acceptModelList(resource, {
              store,
              emit: this.#emitAndReindex,
              owner: this.#gateway.owner,
              now: clock.now(),
            });
          }
        },
        check: () => this.#integrity.check(),
        onChange: () => this.#duesChanged(),
      }),
      ...newsMethods({
        visits: this.#visits,
        search: new OnlineSearch(ports),
        guide: new Guide(ports),
        newsAt: (address) =>
          address === source.address
            ? ports.news
            : createNewsClient({
                http: this.#http,
                baseAddress: address,
                gate: gates.of(newsGateName({ address, demo: false })),
              }),
      }),
      ...statusMethods({ store, marked }),
      ...reportMethods({
        ...ports,
        fetchOnDemand: (kind, send) => this.#runners[REPORT_RESOURCE[kind]].fetchOnDemand(send),
        marked,
      }),
      ...storyMethods({
        ...ports,
        now: () => clock.now(),
        fetchOnDemand: (send) => this.#runners.stories.fetchOnDemand(send),
      }),
      ...noteMethods({ store, emit }),
      ...modelMethods({ store, emit, gateway: this.#gateway, namesChanged: () => this.#namesChanged() }),
      ...ruleMethods({ store, onChange: () => this.#rulesChanged() }),
      ...marksFolderMethods(this.#marks),
      ...dataMethods({ ...ports, warnings, onChange: () => this.#publisher.publishSoon() }),
    };
    void this.#indexing.catchUp();
    this.#inFlight
      .during(() => endMarking(store, marked))
      .catch((error: unknown) => log('error', toFailure(error).message, { code: toFailure(error).code }));
  }

  async call<M extends EngineMethod>(method: M, args: Args<M>): Promise<Result<M>> {
    const body: EngineBodies[M] = this.#bodies[method];
    const answer = (): Promise<Result<M>> => Promise.resolve(args).then(body);
    return this.#during(() => (isWaitedFor(method, args) ? this.#userPriority.during(answer) : answer()));
  }

  async start(): Promise<void> {
    this.#notifications.start();
    this.#schedulers.start();
    this.#backup.make();
    this.#marks.start();
    this.#polls = true;
    // Beside a first load a check would hold the logs; it follows the load.
    if (this.store.queries.selectedSet.complete) void this.#integrity.whenDue();
  }

  useGateway(gateway: EngineGateway | null): Promise<void> {
    return this.#during(() => this.#gateway.use(gateway));
  }

  useSettings(settings: EngineSettings): Promise<void> {
    return this.#during(async () => this.#adopt(settings));
  }

  shareMarks(choice: MarksChoice): ReturnType<Engine['shareMarks']> {
    return this.#during(async () => {
      const status = await this.#marks.use(choice);
      return { status, keys: this.#marks.keys };
    });
  }

  useMarksKeys(keys: readonly MarksKey[]): Promise<void> {
    return this.#during(() => this.#marks.useKeys(keys));
  }

  rebuild(): Promise<string> {
    return this.#inFlight.during(() => this.#rebuild.run());
  }

  tryGateway(gateway: EngineGateway): Promise<GatewayTrial> {
    return this.#inFlight.during(() => this.#gateway.try(gateway));
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  /** Events precede the answer, so that a caller has heard what its call changed. */
  #during<T>(work: () => Promise<T>): Promise<T> {
    return this.#inFlight.during(async () => {
      try {
        return await work();
      } finally {
        this.#publisher.flush();
      }
    });
  }

  async #end(): Promise<void> {
    this.#inFlight.refuse();
    this.#schedulers.stop();
    this.#notifications.stop();
    // First, because syncs wait for the indexes.
    const indexed = this.#indexing.stop();
    const checked = this.#integrity.stop();
    const shared = this.#marks.stop();
    await this.#http.close();
    await this.#inFlight.settled();
    await indexed;
    await checked;
    await shared;
    this.#logSaver.save();
    this.store.close();
  }

  #adopt(settings: EngineSettings): void {
    const before = this.#settings;
    this.#settings = settings;
    this.#http.useProxy(settings.proxy);
    if (differs(before, settings, 'unreadAtFirst')) chooseReadingStart(this.store, settings.unreadAtFirst, this.#emit);
    if (differs(before, settings, 'notify', 'quietHours')) this.#notifications.use(settings);
    if (differs(before, settings, 'polling')) this.#polling.changePace();
    if (differs(before, settings, 'polling', 'proxy')) this.#duesChanged();
  }

  #duesChanged(): void {
    this.#publisher.publishSoon();
    this.#schedulers.nudge();
  }

  async #run(urgency: Urgency, resources: readonly ResourceName[]): Promise<SyncResult> {
    if (!this.store.queries.selectedSet.complete) this.#indexing.prepare();
    const report = await this.#polling.round(urgency, resources);
    // The sync may have changed whether the service is reachable.
    this.#publisher.publishSoon();
    this.#visits.afterRound(report);
    this.#notifications.afterRound(report);
    await this.#indexing.catchUp();
    if (this.#isIdle) await this.#retention.sweep();
    // The texts of deleted items leave the search index, too.
    await this.#indexing.catchUp();
    if (this.#isIdle) this.#parkedMirrors.expire();
    if (this.#isIdle) this.#backup.make();
    if (this.#isIdle) this.#logSaver.afterRound();
    // A process that doesn't poll has no other occasion.
    if (this.#isIdle && !this.#polls) await this.#marks.compare();
    if (this.#isIdle) this.#indexing.checkpoint();
    // A process that doesn't poll ends after this.
    const checked = this.#isIdle ? this.#integrity.whenDue() : null;
    if (!this.#polls) await checked;
    const indexing = this.#indexing.failure;
    const ok = indexing === null && Object.values(report).every(({ status }) => status !== 'failed');
    return { ok, resources: report, counts: this.#publisher.totals, ...(indexing && { indexing }) };
  }

  get #isFirstLoad(): boolean {
    return this.#runners.selected.live.running && !this.store.queries.selectedSet.complete;
  }

  get #isIdle(): boolean {
    return !this.#inFlight.closing && RESOURCES.every((name) => !this.#runners[name].live.running);
  }

  /** `ids` is null if there are too many to list. */
  #itemsChanged({ ids, ...numbers }: Events['items.changed']): void {
    void this.#indexing.catchUp();
    this.#emit('items.changed', { ...numbers, ids: ids && namedIds(ids) });
    this.#visits.afterWrite();
    this.#emit('counts.changed', this.store.queries.items.counts());
  }

  /** Names and aliases of models determine which items mention them. */
  readonly #emitAndReindex: Emit = (event, payload) => {
    this.#emit(event, payload);
    if (event === 'models.changed' || event === 'data.replaced') this.#namesChanged();
  };

  /** Saved items are matched in the background. */
  #rulesChanged(): void {
    this.#rulesMatched();
    void this.#indexing.catchUp();
  }

  /** The counts go first: whoever hears that all is matched has them. */
  #rulesMatched(): void {
    const { rules, items } = this.store.queries;
    this.#emit('counts.changed', items.counts());
    this.#emit('rules.changed', { progress: rules.progress() });
    this.#visits.afterWrite();
  }

  #namesChanged(): void {
    this.#indexing.namesChanged(this.#gateway.owner ?? '');
  }
}

function localZone(): string {
  return Temporal.Now.timeZoneId();
}
