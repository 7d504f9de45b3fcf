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

/** The resources whose items are kept when the service no longer lists many of them (docs/decisions/144). */
export const ITEM_LISTS = ['items', 'selected'] as const satisfies readonly NewsResource[];
export type ItemListName = (typeof ITEM_LISTS)[number];

export function isItemList(resource: ResourceName): resource is ItemListName {
  return (ITEM_LISTS as readonly string[]).includes(resource);
}

/** The model lists of the gateway (document 2). */
export const MODEL_LISTS = ['models', 'embeddings'] as const;
export type ModelListName = (typeof MODEL_LISTS)[number];

/** All mirrored resources, as named by `sync --json`. */
export const RESOURCES = [...NEWS_RESOURCES, ...MODEL_LISTS] as const;
export type ResourceName = (typeof RESOURCES)[number];

/** The resources of which the reader may accept a smaller answer: no repetition of it counts. */
export const ACCEPTABLE_RESOURCES = [...ITEM_LISTS, ...MODEL_LISTS] as const;
export type AcceptableResource = (typeof ACCEPTABLE_RESOURCES)[number];

export function isAcceptable(resource: ResourceName): resource is AcceptableResource {
  return (ACCEPTABLE_RESOURCES as readonly string[]).includes(resource);
}

export function isModelList(resource: ResourceName): resource is ModelListName {
  return (MODEL_LISTS as readonly string[]).includes(resource);
}
