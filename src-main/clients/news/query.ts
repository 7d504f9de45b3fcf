import { z } from 'zod';
import { checkRequest } from '../http/request-check.ts';

/** Parameters of `GET /api/v1/items` (document 1 section 4.1). Missing ones use the service's defaults. */
export interface ItemsRequest {
  mode?: 'selected' | 'all' | undefined;
  category?: string | undefined;
  window?: '24h' | '7d' | undefined;
  by?: 'timeline' | 'published' | undefined;
  /** 2 to 200 code points after trimming. */
  q?: string | undefined;
  /** 1 to 100. */
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface SnapshotRequest {
  /** A `nextPage` of the service, unchanged. */
  page?: string | undefined;
  /** 1 to 1,000. */
  limit?: number | undefined;
}

export interface ChangesRequest {
  /** The `cursor` of a snapshot or of the latest changes, unchanged. */
  cursor: string;
  /** 1 to 100. */
  limit?: number | undefined;
}

/** Opaque. The service answers 400 to an empty one. */
const token = z.string().min(1);

/** Code points, not UTF-16 units: an emoji counts once. The service answers 503 to a NUL. */
const searchText = z
  .string()
  .transform((text) => text.replaceAll('\0', '').toWellFormed().trim())
  .refine((text) => isWithin(Array.from(text).length, 2, 200), 'must have 2 to 200 characters');

const itemsRequest = z.strictObject({
  mode: z.enum(['selected', 'all']).optional(),
  // The service may add categories.
  category: z.string().min(1).max(200).optional(),
  window: z.enum(['24h', '7d']).optional(),
  by: z.enum(['timeline', 'published']).optional(),
  q: searchText.optional(),
  limit: z.int().min(1).max(100).optional(),
  cursor: token.optional(),
});

const snapshotRequest = z.strictObject({ page: token.optional(), limit: z.int().min(1).max(1000).optional() });

const changesRequest = z.strictObject({ cursor: token, limit: z.int().min(1).max(100).optional() });

/** Errors of all three: `invalid_argument`. */
export const checkItemsRequest = (request: ItemsRequest) => checkRequest(itemsRequest, request);
export const checkSnapshotRequest = (request: SnapshotRequest) => checkRequest(snapshotRequest, request);
export const checkChangesRequest = (request: ChangesRequest) => checkRequest(changesRequest, request);

function isWithin(value: number, least: number, most: number): boolean {
  return value >= least && value <= most;
}
