import type { Json } from '../../contract/model/json.ts';
import type { ModelRecord } from '../../contract/model/model.ts';

/** A model as the gateway lists it (document 2 section 2; observed-9-fields). */
export interface CatalogueModel extends ModelRecord {
  canonical_slug: string;
  name: string;
  description: string;
  created: number;
  context_length: number;
  architecture: { [field: string]: Json };
  pricing: Record<string, Json>;
  top_provider: { [field: string]: Json };
  supported_parameters: string[];
  supported_voices: null;
  default_parameters: { [field: string]: Json } | null;
  expiration_date: string | null;
  knowledge_cutoff: string | null;
  per_request_limits: null;
  links: { details: string };
}
