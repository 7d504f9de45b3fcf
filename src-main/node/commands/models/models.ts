import { BroadsheetError } from '../../../contract/errors.ts';
import { MODEL_LISTS, type ModelListName } from '../../../contract/model/resource.ts';
import type { ModelLine, ModelRecord, StoredModel } from '../../../contract/model/model.ts';
import type { Wire } from '../../../contract/wire.ts';
import type { Invocation } from '../../invocation.ts';
import { call } from '../../open-core.ts';
import type { ExitCode } from '../../shell.ts';
import { modelAsJson, refreshAsJson } from '../json-names.ts';
import { modelText, modelLineText, refreshText } from './model-text.ts';
import { writeList, writeOne } from '../reading.ts';

interface Options {
  limit?: number;
}

/** The limit of one call. */
const MOST_REFRESHES = 1000;

/** Prints a model list in the gateway's order; as JSON, the gateway's records unchanged. */
export function listModels(invocation: Invocation, modelList: ModelListName, { limit }: Options): Promise<ExitCode> {
  const options = {
    ...(limit !== undefined && { limit }),
    empty: `No ${modelList === 'models' ? 'models' : 'embedding models'} saved yet: run \`broadsheet sync\`.`,
  };
  const lines = async (wire: Wire): Promise<ModelLine[]> => (await call(wire, 'models.list', { modelList })).lines;
  if (!invocation.json) return writeList(invocation, { ...options, read: lines, format: modelLineText });
  return writeList<ModelRecord>(invocation, {
    ...options,
    read: async (wire) => recordsOf(wire, (await lines(wire)).slice(0, limit)),
    format: ({ id }) => id,
  });
}

/** Prints one model of either list. Errors: `not_found`. */
export function showModel(invocation: Invocation, id: string): Promise<ExitCode> {
  return writeOne(invocation, { read: (wire) => findModel(wire, id), format: modelText, asJson: modelAsJson });
}

/** Prints the changes found by each refresh, newest first. */
export function listModelChanges(invocation: Invocation, { limit }: Options): Promise<ExitCode> {
  return writeList(invocation, {
    ...(limit !== undefined && { limit }),
    read: async (wire) =>
      (await call(wire, 'models.changes', { limit: Math.min(limit ?? MOST_REFRESHES, MOST_REFRESHES) })).refreshes,
    asJson: refreshAsJson,
    format: refreshText,
    empty: 'No model changes yet.',
  });
}

async function recordsOf(wire: Wire, lines: readonly ModelLine[]): Promise<ModelRecord[]> {
  const records: ModelRecord[] = [];
  for (const { modelList, id } of lines) records.push((await call(wire, 'models.get', { modelList, id })).record);
  return records;
}

async function findModel(wire: Wire, id: string): Promise<StoredModel> {
  for (const modelList of MODEL_LISTS) {
    try {
      return await call(wire, 'models.get', { modelList, id });
    } catch (error) {
      if (!(error instanceof BroadsheetError) || error.code !== 'not_found') throw error;
    }
  }
  throw new BroadsheetError('not_found', 'No model with this id is saved: see `broadsheet list models`.');
}
