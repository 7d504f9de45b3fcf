import type { Json } from '../../contract/model/json.ts';
import { fill } from '../content/template.ts';
import { MODEL_TEXTS } from '../content/texts.ts';
import type { CatalogueModel } from './types.ts';

const { namespace, label, description, prices } = MODEL_TEXTS.edgeCases;
const EDGE_CASE_PRICES: Record<string, Record<string, Json>> = prices;

/** The namespace of models with prices that a careless parser gets wrong. */
export const EDGE_CASES = namespace;

/** Models like `plain`, each with a different unusual price. */
export function edgeCaseModels(plain: CatalogueModel): CatalogueModel[] {
  return Object.entries(EDGE_CASE_PRICES).map(([name, pricing]) => {
    const id = `${EDGE_CASES}/${name.toLowerCase().replace(' ', '-')}`;
    return {
      ...structuredClone(plain),
      id,
      canonical_slug: id,
      name: fill(label, { name }),
      description,
      pricing: { ...pricing },
      links: { details: `/api/v1/models/${id}/endpoints` },
    };
  });
}
