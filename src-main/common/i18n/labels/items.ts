import { m } from '../messages.ts';

export const categories = {
  'ai-models': m.categories_ai_models,
  'ai-products': m.categories_ai_products,
  industry: m.categories_industry,
  paper: m.categories_paper,
  tip: m.categories_tip,
  opinion: m.categories_opinion,
};

export const filtersWindows = {
  '24h': m.filters_windows_24h,
  '7d': m.filters_windows_7d,
  any: m.filters_windows_any,
};

export const itemRemovalReasons = {
  withdrawn: m.list_withdrawn,
  leftSelection: m.list_left_selection,
};

export const revisionsFields = {
  title: m.revisions_fields_title,
  originalTitle: m.revisions_fields_original_title,
  summary: m.revisions_fields_summary,
  'source.name': m.revisions_fields_source_name,
  'links.original': m.revisions_fields_links_original,
  attribution: m.revisions_fields_attribution,
};
