import type { Json, JsonObject } from './model.ts';

/** Shared by the records of the news service. Members that it adds later are kept. */
export type Source = { name: string | null; [unknown: string]: Json };
export type Links<Name extends string> = Record<Name, string | null> & JsonObject;
export type Attribution = { name: string | null; url: string | null; [unknown: string]: Json };

/** In UTF-16 units. */
export const MAX_ID = 512;
/** In code points (document 1 section 8). */
export const MAX_STORY_ID = 128;

export function isItemId(id: string): boolean {
  return id !== '' && id.length <= MAX_ID;
}

export function isStoryId(id: string): boolean {
  return id !== '' && Array.from(id).length <= MAX_STORY_ID;
}
