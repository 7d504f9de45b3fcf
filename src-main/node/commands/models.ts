import { BroadsheetError } from '../../contract/errors.ts';
import { MODEL_LISTS, type ModelListName } from '../../contract/model/resource.ts';
import type { ModelLine, ModelRecord, StoredModel } from '../../contract/model/model.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Invocation } from '../invocation.ts';
import { ask } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { modelAsJson, refreshAsJson } from './json-names.ts';
import { modelInWords, modelLineInWords, refreshInWords } from './model-text.ts';
import { writeList, writeOne } from './reading.ts';

interface Options {
  limit?: number;
}

/** As many refreshes as one call tells of. */
const MOST_REFRESHES = 1000;

/** A whole model list in the gateway's order; as JSON each record exactly as the gateway gives it. */
export function listModels(invocation: Invocation, modelList: ModelListName, { limit }: Options): Promise<ExitCode> {
  const options = {
    ...(limit !== undefined && { limit }),
    empty: `No ${modelList} are stored: run \`broadsheet sync\`.`,
  };
  const lines = async (wire: Wire): Promise<ModelLine[]> => (await ask(wire, 'models.list', { modelList })).lines;
  if (!invocation.json) return writeList(invocation, { ...options, read: lines, words: modelLineInWords });
  return writeList<ModelRecord>(invocation, {
    ...options,
    read: async (wire) => recordsOf(wire, (await lines(wire)).slice(0, limit)),
    words: ({ id }) => id,
  });
}

/** One model of either model list, with its record as the gateway gives it. Errors: `not_found`. */
export function showModel(invocation: Invocation, id: string): Promise<ExitCode> {
  return writeOne(invocation, { read: (wire) => findModel(wire, id), words: modelInWords, asJson: modelAsJson });
}

/** What each refresh found changed, newest first. */
export function listModelChanges(invocation: Invocation, { limit }: Options): Promise<ExitCode> {
  return writeList(invocation, {
    ...(limit !== undefined && { limit }),
    read: async (wire) =>
      (await ask(wire, 'models.changes', { limit: Math.min(limit ?? MOST_REFRESHES, MOST_REFRESHES) })).refreshes,
    asJson: refreshAsJson,
    words: refreshInWords,
    empty: 'No change of the models has been seen yet.',
  });
}

async function recordsOf(wire: Wire, lines: readonly ModelLine[]): Promise<ModelRecord[]> {
  const records: ModelRecord[] = [];
  for (const { modelList, id } of lines) records.push((await ask(wire, 'models.get', { modelList, id })).record);
  return records;
}

async function findModel(wire: Wire, id: string): Promise<StoredModel> {
  for (const modelList of MODEL_LISTS) {
    try {
      return await ask(wire, 'models.get', { modelList, id });
    } catch (error) {
      if (!(error instanceof BroadsheetError) || error.code !== 'not_found') throw error;
    }
  }
  throw new BroadsheetError('not_found', 'No model of this id is stored: see `broadsheet list models`.');
}
