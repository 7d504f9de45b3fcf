import { modelLine } from '../../../src-main/common/model-line.ts';
import type { Json, ModelLine, ModelRecord, StoredModel } from '../../../src-main/contract/model/model.ts';
import type { ModelListName } from '../../../src-main/contract/model/resource.ts';

/** A line of the catalogue in which nothing is given but what a test says. */
export function madeUpLine(id: string, changes: Partial<ModelLine> = {}): ModelLine {
  return {
    modelList: 'models',
    id,
    name: id,
    vendor: id.includes('/') ? id.slice(0, id.indexOf('/')) : null,
    aliasTarget: null,
    description: null,
    created: null,
    contextLength: null,
    maxCompletionTokens: null,
    inputModalities: [],
    outputModalities: [],
    modality: null,
    tokenizer: null,
    instructType: null,
    pricing: {},
    moderated: null,
    supportedParameters: [],
    expirationDate: null,
    knowledgeCutoff: null,
    firstSeenAt: '2026-10-01T08:00:00.000Z',
    favouriteAt: null,
    ...changes,
  };
}

/** A line whose prompt price is what a gateway may say of one. */
export function pricedLine(id: string, prompt: Json): ModelLine {
  return madeUpLine(id, { pricing: { prompt } });
}

/** A model of a model list as the store gives it, of what a gateway says. */
export function madeUpModel(
  modelList: ModelListName,
  record: ModelRecord,
  changes: Partial<StoredModel> = {},
): StoredModel {
  return {
    ...modelLine(record),
    modelList,
    record,
    firstSeenAt: '2026-10-01T08:00:00.000Z',
    favouriteAt: null,
    aliases: [],
    histories: [],
    ...changes,
  };
}
