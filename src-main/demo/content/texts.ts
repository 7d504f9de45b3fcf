import aiModels from '../texts/ai-models.json' with { type: 'json' };
import aiProducts from '../texts/ai-products.json' with { type: 'json' };
import industry from '../texts/industry.json' with { type: 'json' };
import modelCatalogue from '../texts/model-catalogue.json' with { type: 'json' };
import opinion from '../texts/opinion.json' with { type: 'json' };
import organisations from '../texts/organisations.json' with { type: 'json' };
import outlets from '../texts/outlets.json' with { type: 'json' };
import paper from '../texts/paper.json' with { type: 'json' };
import phrases from '../texts/phrases.json' with { type: 'json' };
import terms from '../texts/terms.json' with { type: 'json' };
import tip from '../texts/tip.json' with { type: 'json' };
import { both, type Bilingual, type Category, type Kind } from './template.ts';

// The type annotations check the data: a missing text or a wrong name doesn't compile.

export interface Organisation {
  name: Bilingual;
  /** Under the reserved domain `.example`. */
  domain: string;
  models: Bilingual[];
  products: Bilingual[];
}

export interface Outlet {
  name: string;
  domain: string;
}

export const KINDS: Record<Category, readonly Kind[]> = {
  'ai-models': aiModels,
  'ai-products': aiProducts,
  industry,
  paper,
  tip,
  opinion,
};

/** All names are made up, those of the outlets too. */
export const ORGANISATIONS: readonly Organisation[] = organisations.map(({ name, domain, models, products }) => {
  return { name: both(name), domain, models: models.map(both), products: products.map(both) };
});

export const OUTLETS: Record<'zh' | 'en', readonly Outlet[]> = outlets;

export const TERMS = { ...terms, licences: terms.licences.map(both) };

export const SECTION_LABELS: Record<Category, string> = phrases.reports.sections;
export const REPORT_PHRASES = phrases.reports;
export const DIGEST_PHRASES = phrases.digest;
export const UPDATES: readonly Bilingual[] = phrases.updates;
export const AGENT_GUIDE = phrases.agentGuide.join('\n');
export const MODEL_TEXTS = modelCatalogue;
