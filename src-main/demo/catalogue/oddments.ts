import type { Json } from '../../contract/model/item.ts';
import type { CatalogueModel } from './catalogue.ts';

/** Their prices are everything that a price can be and a careless reader gets wrong. */
export const ODDMENTS = 'oddment-works';

const ODD_PRICES: readonly { name: string; pricing: Record<string, Json> }[] = [
  { name: 'Zero Price', pricing: { prompt: '0', completion: '0' } },
  { name: 'Negative Price', pricing: { prompt: '-1', completion: '-1' } },
  { name: 'Empty Price', pricing: { prompt: '', completion: '' } },
  { name: 'Null Price', pricing: { prompt: null, completion: null } },
  { name: 'No Price', pricing: {} },
  { name: 'Exponent Price', pricing: { prompt: '1e-7', completion: '4e-7' } },
  { name: 'Tiny Price', pricing: { prompt: '0.000000000001', completion: '0.000000000004' } },
  { name: 'Numeric Price', pricing: { prompt: 1e-7, completion: 0.0000025 } },
];

/** Models like `plain`, each with another odd price. */
export function oddModels(plain: CatalogueModel): CatalogueModel[] {
  return ODD_PRICES.map(({ name, pricing }) => {
    const id = `${ODDMENTS}/${name.toLowerCase().replace(' ', '-')}`;
    return {
      ...structuredClone(plain),
      id,
      canonical_slug: id,
      name: `Oddment Works: ${name}`,
      description: 'Made to see how a reader copes with its price.',
      pricing: { ...pricing },
      links: { details: `/api/v1/models/${id}/endpoints` },
    };
  });
}
