import { createHttpClient, type HttpClient, type HttpClientOptions } from '../clients/http.ts';
import { createNewsClient } from '../clients/news.ts';
import type { Api } from '../contract/api.ts';
import { toFailure } from '../contract/errors.ts';
import { EDITION_RESOURCE } from '../contract/editions.ts';
import type { EventName, Events } from '../contract/events.ts';
import { RESOURCES, type NewsSource, type ResourceName, type SyncReport } from '../contract/model.ts';
import type { Clock, Log } from '../contract/ports.ts';
import { noteDamage } from '../store/damage.ts';
import { explainStoreError } from '../store/errors.ts';
import { countRows } from '../store/row_counts.ts';
import type { WriteSummary } from '../store/write.ts';
import { StoreWriter } from '../store/writer.ts';
import { Calls } from './calls.ts';
import { EDITIONS_METHODS, editionsDesk } from './editions_desk.ts';
import { Foreground, isWaitedFor } from './foreground.ts';
import { catalogueName, type EngineGateway, type GatewayTrial } from './gateway.ts';
import { GatewayDesk } from './gateway_desk.ts';
import { Guide } from './guide.ts';
import { Indexing, type IndexingPorts } from './indexing.ts';
import { MARKS_METHODS, MarksDesk } from './marks_desk.ts';
import { MODELS_METHODS, modelsDesk } from './models_desk.ts';
import { OnlineSearch } from './online_search.ts';
import { Polling } from './polling.ts';
import { POLLING_METHODS, pollingDesk } from './polling_desk.ts';
import { ResourceRunner } from './resource_runner.ts';
import type { Urgency } from './schedule.ts';
import { Schedulers } from './schedulers.ts';
import { STORY_METHODS, storiesDesk } from './stories_desk.ts';
import { byResource, namedIds, syncStatus } from './status.ts';
import { VisitsDesk } from './visits_desk.ts';

/** The methods of the contract that write, or that only their writer can answer. */
export const ENGINE_METHODS = [
  ...MARKS_METHODS,
  'sync.run',
  'sync.status',
  'source.test',
  ...POLLING_METHODS,
  ...EDITIONS_METHODS,
  ...STORY_METHODS,
  'visits.end',
  'items.searchOnline',
  'guide.open',
  ...MODELS_METHODS,
] as const satisfies readonly (keyof Api)[];
export type EngineMethod = (typeof ENGINE_METHODS)[number];

/** The name of the demo service's mirror: what it says is the same after every start, though its port is not. */
export const DEMO_MIRROR = 'demo';

/** Which service a mirror is of. Another name means another mirror. */
function mirrorName(source: NewsSource): string {
  return source.demo ? DEMO_MIRROR : source.address;
}

/** What can be sent to another thread: the engine is the same there. */
export interface EngineSetup {
  dataFolder: string;
  source: NewsSource;
  gateway: EngineGateway | null;
  version: string;
  /** In ms; what is left out is the HTTP client's default. */
  timeouts?: HttpClientOptions['timeouts'];
}

export type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

/** Owns the writing side: fetches, stores, marks, and tells what changed. One at a time for a data folder. */
export interface Engine {
  /** Errors: `closed` once it is closing. */
  call<M extends EngineMethod>(method: M, args: Api[M]['args']): Promise<Api[M]['result']>;
  /** Begins to poll. */
  start(): Promise<void>;
  /** Which gateway to ask from here on, and with which key; null for none. */
  useGateway(gateway: EngineGateway | null): Promise<void>;
  /** Asks a gateway for one model, to learn what it says to a key. Nothing is stored. */
  tryGateway(gateway: EngineGateway): Promise<GatewayTrial>;
  /** Ends requests and timers, finishes what is being written, closes the files. */
  close(): Promise<void>;
}

/** Methods whose bodies stand in files of their own. */
type DeskMethod = (
  typeof MARKS_METHODS | typeof POLLING_METHODS | typeof EDITIONS_METHODS | typeof STORY_METHODS | typeof MODELS_METHODS
)[number];
type Bodies = { [M in EngineMethod]: (args: Api[M]['args']) => Promise<Api[M]['result']> | Api[M]['result'] };

export class SyncEngine implements Engine {
  readonly store: StoreWriter;
  readonly #setup: EngineSetup;
  readonly #emit: Emit;
  readonly #log: Log;
  readonly #http: HttpClient;
  readonly #runners: Record<ResourceName, ResourceRunner>;
  readonly #polling: Polling;
  readonly #gateway: GatewayDesk;
  readonly #schedulers: Schedulers;
  readonly #indexing: Indexing;
  readonly #visits: VisitsDesk;
  readonly #search: OnlineSearch;
  readonly #guide: Guide;
  readonly #bodies: Bodies;
  readonly #foreground = new Foreground();
  readonly #calls = new Calls();
  #closed: Promise<void> | null = null;

  /** Errors: as those of the store's files. */
  constructor(setup: EngineSetup, { clock, log, emit }: { clock: Clock; log: Log; emit: Emit }) {
    const { dataFolder, source, gateway, version, timeouts } = setup;
    this.#setup = setup;
    this.#emit = emit;
    this.#log = log;
    const { store, indexing } = openStore(dataFolder, mirrorName(source), clock, {
      log,
      owner: ownerOf(gateway),
      onMentions: (ids) => emit('items.changed', { added: 0, revised: 0, withdrawn: 0, ids: namedIds(ids) }),
    });
    this.store = store;
    this.#indexing = indexing;
    this.#http = createHttpClient({ appVersion: version, clock, log, ...(timeouts && { timeouts }) });
    this.#gateway = new GatewayDesk(gateway, {
      http: this.#http,
      store: this.store,
      runner: (listing) => this.#runners[listing],
      onChange: () => {
        this.#namesChanged();
        this.#duesChanged();
      },
    });
    const ports = {
      store: this.store,
      gateway: () => this.#gateway.asked,
      news: createNewsClient({ http: this.#http, baseAddress: source.address }),
      clock,
      log,
      emit: this.#tell,
      foreground: this.#foreground,
      onWrite: (summary: WriteSummary) => this.#itemsChanged(summary),
      onState: () => this.#stateChanged(),
    };
    this.#runners = byResource((name) => new ResourceRunner(name, ports));
    this.#visits = new VisitsDesk(ports);
    this.#search = new OnlineSearch({ ...ports, itemsFacts: () => this.#runners.items.facts });
    this.#guide = new Guide(ports);
    this.#polling = new Polling({ clock, store: this.store, runners: this.#runners });
    this.#schedulers = new Schedulers({
      clock,
      log,
      polling: this.#polling,
      run: (resources) => this.call('sync.run', { urgency: 'due', resources: [...resources] }),
    });
    const marks = new MarksDesk({ store, emit });
    const editions = editionsDesk({
      ...ports,
      askBeside: (kind, send) => this.#runners[EDITION_RESOURCE[kind]].askBeside(send),
      marked: (action) => marks.tell(action),
    });
    const stories = storiesDesk({
      ...ports,
      now: () => clock.now(),
      askBeside: (send) => this.#runners.stories.askBeside(send),
    });
    const models = modelsDesk({ ...ports, gateway: this.#gateway });
    const own = { ...this.#ownBodies, ...this.#pollingBodies(clock) };
    this.#bodies = { ...own, ...marks.bodies, ...editions, ...stories, ...models };
    void this.#indexing.catchUp();
  }

  async call<M extends EngineMethod>(method: M, args: Api[M]['args']): Promise<Api[M]['result']> {
    const body: Bodies[M] = this.#bodies[method];
    const answer = (): Promise<Api[M]['result']> => Promise.resolve(args).then(body);
    return this.#calls.during(() => (isWaitedFor(method, args) ? this.#foreground.during(answer) : answer()));
  }

  async start(): Promise<void> {
    this.#schedulers.start();
  }

  useGateway(gateway: EngineGateway | null): Promise<void> {
    return this.#calls.during(() => this.#gateway.use(gateway));
  }

  tryGateway(gateway: EngineGateway): Promise<GatewayTrial> {
    return this.#calls.during(() => this.#gateway.try(gateway));
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  async #end(): Promise<void> {
    this.#calls.refuse();
    this.#schedulers.stop();
    await this.#http.close();
    await this.#calls.settled();
    await this.#indexing.stop();
    this.store.close();
  }

  #pollingBodies(clock: Clock): ReturnType<typeof pollingDesk> {
    return pollingDesk({
      clock,
      store: this.store,
      polling: this.#polling,
      status: () => this.#status(),
      onChange: () => this.#duesChanged(),
    });
  }

  #duesChanged(): void {
    this.#stateChanged();
    this.#schedulers.nudge();
  }

  readonly #ownBodies: Omit<Bodies, DeskMethod> = {
    'sync.run': ({ urgency, resources }) => this.#run(urgency, resources ?? RESOURCES),
    'sync.status': () => this.#status(),
    'visits.end': () => this.#visits.end(),
    'items.searchOnline': (args) => this.#search.search(args),
    'guide.open': () => this.#guide.open(),
    'source.test': async ({ address }) => {
      const news = createNewsClient({ http: this.#http, baseAddress: address });
      const answer = await news.items({ limit: 1 });
      return { items: answer.kind === 'fresh' ? answer.value.items.length : 0 };
    },
  };

  async #run(urgency: Urgency, resources: readonly ResourceName[]): Promise<SyncReport> {
    const report = await this.#polling.round(urgency, resources);
    // What the round found out of the service's reachability.
    this.#stateChanged();
    this.#visits.afterRound(report);
    await this.#indexing.catchUp();
    if (RESOURCES.every((name) => !this.#runners[name].live.running)) this.#indexing.checkpoint();
    const ok = Object.values(report).every(({ status }) => status !== 'failed');
    return { ok, resources: report, counts: this.#totals() };
  }

  #totals(): SyncReport['counts'] {
    const { all, selected, starred } = this.store.counts();
    return { items: all.total, selected: selected.total, unread: all.unread, starred: starred.total };
  }

  #itemsChanged({ ids, ...numbers }: WriteSummary): void {
    void this.#indexing.catchUp();
    this.#emit('items.changed', { ...numbers, ids: namedIds(ids) });
    this.#visits.afterWrite();
    this.#emit('counts.changed', this.store.counts());
  }

  /** What models are called decides which items name them. */
  readonly #tell: Emit = (event, payload) => {
    this.#emit(event, payload);
    if (event === 'models.changed') this.#namesChanged();
  };

  #namesChanged(): void {
    this.#indexing.namesChanged(ownerOf(this.#gateway));
  }

  /** Announced in the middle of runs, which must not fail by it: what cannot be read now is told with the next change. */
  #stateChanged(): void {
    if (this.#calls.closing) return;
    try {
      this.#emit('sync.changed', this.#status());
    } catch (error) {
      this.#log('warn', 'The state of a run could not be told.', { code: toFailure(explainStoreError(error)).code });
    }
  }

  #status(): Events['sync.changed'] {
    return syncStatus({
      source: this.#setup.source,
      gateway: this.#gateway.source,
      reachable: this.#polling.reachable,
      pause: this.#polling.pause,
      notices: this.store.notices,
      selectedComplete: this.store.selectedSet.complete,
      counts: this.store.counts(),
      facts: (name) => this.#runners[name].facts,
      live: (name) => this.#runners[name].live,
      rows: (name) => countRows(this.store.database, name),
    });
  }
}

/** Whose models the news are searched for. */
function ownerOf(gateway: Pick<GatewayDesk, 'source'> | null): string {
  return gateway?.source ? catalogueName(gateway.source) : '';
}

/** The files and what follows them. What cannot be opened is closed again, so that its folder is free. */
function openStore(
  folder: string,
  mirror: string,
  clock: Clock,
  ports: IndexingPorts,
): { store: StoreWriter; indexing: Indexing } {
  const store = new StoreWriter(folder, mirror, () => clock.now());
  try {
    return { store, indexing: new Indexing(store, ports) };
  } catch (error) {
    noteDamage(error, store.database);
    store.close();
    throw explainStoreError(error);
  }
}
