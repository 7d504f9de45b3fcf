import type { Json } from '../../contract/model.ts';
import { fill } from '../content/template.ts';
import { MODEL_TEXTS } from '../content/texts.ts';
import type { CatalogueModel } from './catalogue.ts';

const { namespace, label, description, prices } = MODEL_TEXTS.edgeCases;
const ODD_PRICES: Record<string, Record<string, Json>> = prices;

/** Their prices are everything that a price can be and a careless reader gets wrong. */
export const ODDMENTS = namespace;

/** Models like `plain`, each with another odd price. */
export function oddModels(plain: CatalogueModel): CatalogueModel[] {
  return Object.entries(ODD_PRICES).map(([name, pricing]) => {
    const id = `${ODDMENTS}/${name.toLowerCase().replace(' ', '-')}`;
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
