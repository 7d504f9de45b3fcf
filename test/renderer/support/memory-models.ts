import type { Args, MethodName, Result } from '../../../src-main/contract/methods.ts';
import type { EventName, Events } from '../../../src-main/contract/events.ts';
import type {
  Gateway,
  ModelRefresh,
  ModelLine,
  ModelRecord,
  StoredModel,
  Workload,
} from '../../../src-main/contract/model/model.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import { chatModels, embeddingsModels, type CatalogueModel } from '../../../src-main/demo/models.ts';
import { madeUpModel } from './made-up-models.ts';

export type ModelsMethod = Extract<MethodName, `models.${string}` | `workloads.${string}` | `gateway.${string}`>;
type Emit = <E extends EventName>(event: E, payload: Events[E]) => void;

export const GATEWAY: Gateway = {
  source: { address: 'http://127.0.0.1:4001', demo: true, from: 'demo' },
  key: {
    from: 'demo',
    lastFour: null,
    origin: 'http://127.0.0.1:4001',
    inUse: true,
    unused: null,
    keeping: 'thisRun',
    keepingReason: 'host',
  },
};

/** The catalogue, the workloads and the gateway in memory, as the core keeps them. */
export class MemoryModels {
  models: Record<ModelListName, StoredModel[]> = {
    models: chatModels(120).map((model) => madeUpModel('models', recordOf(model))),
    embeddings: embeddingsModels().map((model) => madeUpModel('embeddings', recordOf(model))),
  };
  fetchedAt: string | null = '2026-11-20T08:00:00.000Z';
  refreshes: ModelRefresh[] = [];
  /** Results of `models.news`, by the model's id. */
  news: Record<string, Result<'models.news'>['rows']> = {};
  workloads: Workload[] = [];
  gateway: Gateway = GATEWAY;
  readonly #emit: Emit;
  readonly #refuse: () => never;

  constructor(emit: Emit, refuse: () => never) {
    this.#emit = emit;
    this.#refuse = refuse;
  }

  readonly bodies: { [M in ModelsMethod]: (args: Args<M>) => Result<M> } = {
    'models.list': ({ modelList }) => ({ lines: this.models[modelList].map(lineOf), fetchedAt: this.fetchedAt }),
    'models.get': ({ modelList, id }) => this.models[modelList].find((model) => model.id === id) ?? this.#refuse(),
    'models.changes': ({ limit, model }) => ({ refreshes: this.#refreshesOf(model).slice(0, limit) }),
    'models.news': ({ id, limit }) => ({ rows: (this.news[id] ?? []).slice(0, limit) }),
    'models.favourite': ({ id, favourite }) => {
      this.#change(id, { favouriteAt: favourite ? new Date().toISOString() : null });
      return {};
    },
    'models.setAliases': ({ id, aliases }) => {
      this.#change(id, { aliases });
      return {};
    },
    'workloads.list': () => ({ workloads: this.workloads }),
    'workloads.save': ({ workload }) => {
      const id = workload.id ?? Math.max(0, ...this.workloads.map((kept) => kept.id ?? 0)) + 1;
      const others = this.workloads.filter((kept) => kept.id !== id);
      return this.#keep([...others, { ...workload, id }].sort((a, b) => (a.id ?? 0) - (b.id ?? 0)));
    },
    'workloads.remove': ({ id }) => this.#keep(this.workloads.filter((kept) => kept.id !== id)),
    'gateway.get': () => this.gateway,
    'gateway.test': () => ({ embeddings: this.models.embeddings.length }),
    'gateway.setKey': ({ key }) => {
      const origin = this.gateway.source?.address ?? null;
      const held = { from: 'thisRun', lastFour: key.slice(-4), origin, inUse: true, unused: null } as const;
      this.gateway = { ...this.gateway, key: { ...this.gateway.key, ...held } };
      this.#emit('gateway.changed', this.gateway);
      return { gateway: this.gateway, kept: true, failure: null };
    },
    'gateway.allowKey': () => {
      this.gateway = { ...this.gateway, key: { ...this.gateway.key, inUse: true, unused: null } };
      this.#emit('gateway.changed', this.gateway);
      return { gateway: this.gateway, kept: true, failure: null };
    },
    'gateway.removeKey': () => {
      const held = { from: null, lastFour: null, origin: null, inUse: false, unused: null } as const;
      this.gateway = { ...this.gateway, key: { ...this.gateway.key, ...held } };
      this.#emit('gateway.changed', this.gateway);
      return this.gateway;
    },
  };

  #change(id: string, changes: Partial<StoredModel>): void {
    const change = (model: StoredModel): StoredModel => (model.id === id ? { ...model, ...changes } : model);
    this.models = { models: this.models.models.map(change), embeddings: this.models.embeddings.map(change) };
    this.#emit('models.changed', { modelLists: ['models', 'embeddings'] });
  }

  #refreshesOf(model?: { modelList: ModelListName; id: string }): ModelRefresh[] {
    if (!model) return this.refreshes;
    return this.refreshes.flatMap((refresh) => {
      const changes = refresh.changes.filter((change) => change.model === model.id);
      return refresh.modelList === model.modelList && changes.length > 0 ? [{ ...refresh, changes }] : [];
    });
  }

  #keep(workloads: Workload[]): { workloads: Workload[] } {
    this.workloads = workloads;
    this.#emit('workloads.changed', { workloads });
    return { workloads };
  }
}

function recordOf(model: CatalogueModel): ModelRecord {
  return JSON.parse(JSON.stringify(model)) as ModelRecord;
}

function lineOf({ record: _, aliases: __, histories: ___, ...line }: StoredModel): ModelLine {
  return line;
}
