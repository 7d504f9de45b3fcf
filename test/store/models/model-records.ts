import type { Json, ModelRefresh, ModelChange, ModelRecord } from '../../../src-main/contract/model/model.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';
import type { Changes, FetchedModelList } from '../../../src-main/store/index.ts';
import { write, type StoreScene } from '../../support/store.ts';
import { openStoreScene } from '../internals.ts';

export const OWNER = 'https://models.example';

/** A record in the form of document 2. */
export function model(id: string, fields: Record<string, Json> = {}): ModelRecord {
  return {
    id,
    name: `Model ${id}`,
    context_length: 128_000,
    architecture: { input_modalities: ['text', 'image'], output_modalities: ['text'], modality: 'text+image->text' },
    pricing: { prompt: '0.00000015', completion: '0.0000006' },
    top_provider: { context_length: 128_000, is_moderated: true, max_completion_tokens: 16_384 },
    supported_parameters: ['temperature', 'tools'],
    expiration_date: null,
    knowledge_cutoff: null,
    ...fields,
  };
}

/** A model with only its prices. */
export function priced(id: string, prices: Record<string, Json>): ModelRecord {
  return model(id, { pricing: prices });
}

export interface ModelStore extends StoreScene {
  replace(records: readonly ModelRecord[], options?: Partial<FetchedModelList>): Changes;
  idsOf(modelList?: ModelListName): string[];
  /** The refreshes of the owner, newest first. */
  refreshes(): ModelRefresh[];
  /** The changes of the newest refresh. */
  changes(): ModelChange[];
}

/** A store with one gateway. Model lists are an hour apart. */
export function openModelStore(options: { folder?: string } = {}): ModelStore {
  const scene = openStoreScene(options);
  const { store, queries, clock } = scene;
  const refreshes = (): ModelRefresh[] => queries.models.refreshes(OWNER, 1000);
  return {
    ...scene,
    replace(records, fetched = {}) {
      clock.advance(3_600_000);
      let change: Changes = { added: 0, revised: 0, withdrawn: 0 };
      write(store, ({ modelLists }) => {
        const whole = { owner: OWNER, modelList: 'models' as const, records, keyEnding: null };
        change = modelLists.replace({ ...whole, ...fetched }, clock.now());
      });
      return change;
    },
    idsOf: (modelList = 'models') => queries.models.list(OWNER, modelList).lines.map(({ id }) => id),
    refreshes,
    changes: () => refreshes()[0]?.changes ?? [],
  };
}
