import { BroadsheetError } from '../../contract/errors.ts';
import type { ModelRefresh, StoredModel } from '../../contract/model/model.ts';
import { MODEL_LISTS, type ModelListName } from '../../contract/model/resource.ts';
import type { Call } from '../../contract/wire.ts';
import { command, listCommand, text, type Command } from '../command.ts';
import { listOptions } from './list-options.ts';

/** The limit of one call. */
const MAX_REFRESHES = 1000;

const loadTexts = () => import('./document-text.ts');

export const MODEL_COMMANDS = {
  'list models': list('models', 'models'),
  'list embeddings': list('embeddings', 'embedding models'),
  'list model-changes': listCommand({
    needs: 'reads',
    options: listOptions(),
    async *run({ limit = MAX_REFRESHES }, { call }) {
      yield* (await call('models.changes', { limit: Math.min(limit, MAX_REFRESHES) })).refreshes;
    },
    text: async (refresh) => (await loadTexts()).refreshText(refresh),
    json: refreshAsJson,
    empty: 'No model changes yet.',
  }),
  'show model': command({
    needs: 'reads',
    args: { id: text('', 512) },
    run: ({ id }, { call }) => findModel(call, id),
    text: async (model) => (await loadTexts()).modelText(model),
    json: modelAsJson,
  }),
};

/** In the gateway's order; as JSON, the gateway's records unchanged. */
function list(modelList: ModelListName, name: string): Command {
  return listCommand({
    needs: 'reads',
    options: listOptions(),
    async *run({ limit }, { call }) {
      yield* (await call('models.list', { modelList })).lines.slice(0, limit);
    },
    text: async (model) => (await loadTexts()).modelLineText(model),
    json: async ({ id }, { call }) => (await call('models.get', { modelList, id })).record,
    empty: `No ${name} saved yet: run \`broadsheet sync\`.`,
  });
}

/** Keeps the gateway's record apart, so that its fields and ours can't hide each other. */
function modelAsJson(model: StoredModel): object {
  const { modelList: listing, record, firstSeenAt, favouriteAt, aliases, histories: courses } = model;
  return { listing, record, firstSeenAt, favouriteAt, aliases, courses };
}

export function refreshAsJson({ modelList, ...refresh }: ModelRefresh): object {
  return { ...refresh, listing: modelList };
}

async function findModel(call: Call, id: string): Promise<StoredModel> {
  for (const modelList of MODEL_LISTS) {
    try {
      return await call('models.get', { modelList, id });
    } catch (error) {
      if (!(error instanceof BroadsheetError) || error.code !== 'not_found') throw error;
    }
  }
  throw new BroadsheetError('not_found', 'No model with this id is saved: see `broadsheet list models`.');
}
