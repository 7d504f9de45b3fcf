/** The resources of the news service that are mirrored. */
export const NEWS_RESOURCES = [
  'items',
  'selected',
  'hotTopics',
  'stories',
  'dailies',
  'weeklies',
  'monthlies',
] as const;
export type NewsResource = (typeof NEWS_RESOURCES)[number];

/** The model lists of the gateway (document 2). */
export const MODEL_LISTS = ['models', 'embeddings'] as const;
export type ModelListName = (typeof MODEL_LISTS)[number];

/** All mirrored resources, as named by `sync --json`. */
export const RESOURCES = [...NEWS_RESOURCES, ...MODEL_LISTS] as const;
export type ResourceName = (typeof RESOURCES)[number];

export function isModelList(resource: ResourceName): resource is ModelListName {
  return (MODEL_LISTS as readonly string[]).includes(resource);
}
