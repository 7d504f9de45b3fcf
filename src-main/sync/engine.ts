import { createHttpClient, type HttpClient } from '../clients/http.ts';
import { createNewsClient, type NewsClient } from '../clients/news.ts';
import type { Api } from '../contract/api.ts';
import { toFailure } from '../contract/errors.ts';
import type { EventName, Events } from '../contract/events.ts';
import { RESOURCES, type NewsSource, type ResourceName, type ResourceReport, type SyncReport } from '../contract/model.ts';
import type { Clock, Log } from '../contract/ports.ts';
import { explainStoreError } from '../store/errors.ts';
import type { Undo } from '../store/marks.ts';
import { SearchFollower } from '../store/search_follower.ts';
import { StoreWriter, type WriteSummary } from '../store/writer.ts';
import { ResourceRunner } from './resource_runner.ts';
import { Scheduler } from './scheduler.ts';
import { namedIds, syncStatus } from './status.ts';
import { UndoList } from './undo.ts';

/** The methods of the contract that write, or that only their writer can answer. */
export const ENGINE_METHODS = [
  'items.mark',
  'items.markAllRead',
  'items.undoMark',
  'sync.run',
  'sync.status',
  'source.test',
] as const satisfies readonly (keyof Api)[];
export type EngineMethod = (typeof ENGINE_METHODS)[number];

/** The name of the demo service's mirror: what it says is the same after every start, though its port is not. */
export const DEMO_MIRROR = 'demo';

/** Which service a mirror is of. Another name means another mirror. */
export function mirrorName(source: NewsSource): string {
  return source.demo ? DEMO_MIRROR : source.address;
}

/** What can be sent to another thread: the engine is the same there. */
export interface EngineSetup {
  dataFolder: string;
  source: NewsSource;
  version: string;
}

export type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

/** Owns the writing side: fetches, stores, marks, and tells what changed. One at a time for a data folder. */
export interface Engine {
  call<M extends EngineMethod>(method: M, args: Api[M]['args']): Promise<Api[M]['result']>;
  /** Begins to poll. */
  start(): Promise<void>;
  /** Ends requests and timers, finishes what is being written, closes the files. */
  close(): Promise<void>;
}

type Bodies = { [M in EngineMethod]: (args: Api[M]['args']) => Promise<Api[M]['result']> | Api[M]['result'] };

export class SyncEngine implements Engine {
  readonly store: StoreWriter;
  readonly #setup: EngineSetup;
  readonly #emit: Emit;
  readonly #log: Log;
  readonly #http: HttpClient;
  readonly #news: NewsClient;
  readonly #runners: Record<ResourceName, ResourceRunner>;
  readonly #scheduler: Scheduler;
  readonly #follower: SearchFollower;
  readonly #undos = new UndoList();
  #following: Promise<void> | null = null;
  #reachable: boolean | null = null;
  #closed = false;

  /** Errors: as those of the store's files. */
  constructor(setup: EngineSetup, ports: { clock: Clock; log: Log; emit: Emit }) {
    const { clock, log } = ports;
    this.#setup = setup;
    this.#emit = ports.emit;
    this.#log = log;
    this.store = new StoreWriter(setup.dataFolder, mirrorName(setup.source), () => clock.now());
    this.#follower = new SearchFollower(this.store.database);
    this.#http = createHttpClient({ appVersion: setup.version, clock, log });
    this.#news = createNewsClient({ http: this.#http, baseAddress: setup.source.address });
    const runner = (resource: ResourceName): ResourceRunner =>
      new ResourceRunner(resource, {
        store: this.store,
        news: this.#news,
        clock,
        log,
        onWrite: (summary) => {
          this.#itemsChanged(summary);
        },
        onState: () => {
          this.#stateChanged();
        },
      });
    this.#runners = { items: runner('items'), selected: runner('selected') };
    this.#scheduler = new Scheduler(clock, {
      dueAt: () => Math.min(...RESOURCES.map((name) => this.#runners[name].dueAt)),
      run: async () => {
        await this.#run('due', RESOURCES);
      },
    });
    void this.#follow();
  }

  async call<M extends EngineMethod>(method: M, args: Api[M]['args']): Promise<Api[M]['result']> {
    const body: Bodies[M] = this.#bodies[method];
    return await body(args);
  }

  async start(): Promise<void> {
    this.#scheduler.start();
    return Promise.resolve();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#scheduler.stop();
    await this.#http.close();
    await Promise.all(RESOURCES.map((name) => this.#runners[name].settled()));
    await this.#following;
    this.store.close();
  }

  readonly #bodies: Bodies = {
    'items.mark': ({ ids, mark }) => this.#marked(this.store.mark(ids, mark)),
    'items.markAllRead': ({ query, watermark }) => this.#marked(this.store.markAllRead(query, watermark)),
    'items.undoMark': ({ undo }) => {
      const action = this.#undos.take(undo);
      const restored = this.store.undo(action);
      this.#marksChanged(action);
      return { restored };
    },
    'sync.run': ({ urgency, resources }) => this.#run(urgency, resources ?? RESOURCES),
    'sync.status': () => this.#status(),
    'source.test': async ({ address }) => {
      const news = createNewsClient({ http: this.#http, baseAddress: address });
      const answer = await news.items({ limit: 1 });
      return { items: answer.kind === 'fresh' ? answer.value.items.length : 0 };
    },
  };

  async #run(urgency: Parameters<Bodies['sync.run']>[0]['urgency'], resources: readonly ResourceName[]): Promise<SyncReport> {
    const notDue = { status: 'notDue', requests: 0, added: 0, revised: 0, withdrawn: 0, skipped: 0 } as const;
    const report: SyncReport['resources'] = { items: notDue, selected: notDue };
    await Promise.all(
      resources.map(async (name) => {
        report[name] = await this.#runners[name].run(urgency);
      }),
    );
    this.#noteReachability(Object.values(report));
    await this.#follow();
    this.#tidy(Object.values(report));
    return { ok: Object.values(report).every(({ status }) => status !== 'failed'), resources: report, counts: this.#totals() };
  }

  #totals(): SyncReport['counts'] {
    const { all, selected, starred } = this.store.counts();
    return { items: all.total, selected: selected.total, unread: all.unread, starred: starred.total };
  }

  /** The search index follows behind, a step at a time, so that whatever else waits for this thread gets its turn. */
  #follow(): Promise<void> {
    this.#following ??= this.#catchUp();
    return this.#following;
  }

  async #catchUp(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#followOn());
    this.#following = null;
  }

  /** The index is derived: what goes wrong with it is no fault of the news, and the next write tries again. */
  #followOn(): boolean {
    try {
      return !this.#closed && this.#follower.step();
    } catch (error) {
      this.#log('warn', 'The search index could not be brought up to date.', { code: toFailure(explainStoreError(error)).code });
      return false;
    }
  }

  /** Checkpoints cost up to a second after a load, so they wait for its end. */
  #tidy(reports: readonly ResourceReport[]): void {
    const wrote = reports.some(({ status }) => status === 'ok');
    const busy = RESOURCES.some((name) => this.#runners[name].live.running);
    if (wrote && !busy && !this.#closed) this.store.checkpoint();
  }

  #noteReachability(reports: readonly ResourceReport[]): void {
    const asked = reports.filter(({ status }) => status !== 'notDue');
    if (asked.length === 0) return;
    this.#reachable = asked.some(({ error }) => error?.code !== 'unreachable' && error?.code !== 'timeout');
    this.#stateChanged();
  }

  #marked(action: Undo): Api['items.mark']['result'] {
    const receipt = this.#undos.keep(action);
    if (receipt.changed > 0) this.#marksChanged(action);
    return receipt;
  }

  #marksChanged({ before }: Undo): void {
    this.#emit('marks.changed', { ids: namedIds(before.map(({ id }) => id)) });
    this.#emit('counts.changed', this.store.counts());
  }

  #itemsChanged({ ids, ...numbers }: WriteSummary): void {
    void this.#follow();
    this.#emit('items.changed', { ...numbers, ids: namedIds(ids) });
    this.#emit('counts.changed', this.store.counts());
  }

  #stateChanged(): void {
    if (!this.#closed) this.#emit('sync.changed', this.#status());
  }

  #status(): Events['sync.changed'] {
    return syncStatus({
      source: this.#setup.source,
      reachable: this.#reachable,
      notices: this.store.notices,
      selectedComplete: this.store.selectedSet.complete,
      counts: this.store.counts(),
      journal: this.store.journal,
      live: (name) => this.#runners[name].live,
    });
  }
}
