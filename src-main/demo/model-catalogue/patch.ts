import type { Json } from '../../contract/model/json.ts';
import type { ModelPatch } from '../options.ts';
import type { CatalogueModel } from './types.ts';

type Members = { [name: string]: Json };

/** A model with some fields overridden, also inside its objects; undefined removes a field. */
export function patched(model: CatalogueModel, patch: ModelPatch): CatalogueModel {
  return overridden(model, patch) as CatalogueModel;
}

function overridden(held: Members, patch: ModelPatch): Members {
  const result: Members = structuredClone(held);
  for (const [name, value] of Object.entries(patch)) {
    const inside = result[name];
    if (value === undefined) Reflect.deleteProperty(result, name);
    else result[name] = isObject(value) ? overridden(isJsonObject(inside) ? inside : {}, value) : value;
  }
  return result;
}

function isObject(value: unknown): value is ModelPatch {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isJsonObject(value: Json | undefined): value is Members {
  return isObject(value);
}
