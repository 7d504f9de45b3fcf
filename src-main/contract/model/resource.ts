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

/** Kept when the service no longer lists many of them (docs/decisions/144). */
const ITEM_LISTS = ['items', 'selected'] as const satisfies readonly NewsResource[];
export type ItemListName = (typeof ITEM_LISTS)[number];

export function isItemList(resource: ResourceName): resource is ItemListName {
  return (ITEM_LISTS as readonly string[]).includes(resource);
}

export const MODEL_LISTS = ['models', 'embeddings'] as const;
export type ModelListName = (typeof MODEL_LISTS)[number];

export const RESOURCES = [...NEWS_RESOURCES, ...MODEL_LISTS] as const;
export type ResourceName = (typeof RESOURCES)[number];

/** The user may accept a smaller answer of these: receiving it again proves nothing. */
export const ACCEPTABLE_RESOURCES = [...ITEM_LISTS, ...MODEL_LISTS] as const;
export type AcceptableResource = (typeof ACCEPTABLE_RESOURCES)[number];

export function isAcceptable(resource: ResourceName): resource is AcceptableResource {
  return (ACCEPTABLE_RESOURCES as readonly string[]).includes(resource);
}

export function isModelList(resource: ResourceName): resource is ModelListName {
  return (MODEL_LISTS as readonly string[]).includes(resource);
}
