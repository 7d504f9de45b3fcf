import { z } from 'zod';
import type { ItemsQuery } from '../../contract/model/item.ts';
import type { Properties } from '../database/properties.ts';

/** A marking of all as read that is done in parts: what is left of it is below a key, or everything. */
export interface OpenMarking {
  query: ItemsQuery;
  /** What was added after this write stays unread. */
  watermark: number;
  /** ms since 1970. */
  now: number;
  below: number | null;
  /** Only what is above this key; left out for everything. */
  above?: number;
  /** The number of the reader's last action before it: items that were marked after it stay as they are. */
  since?: number;
}

/** The property of the mirror with an {@link OpenMarking}. */
export const OPEN_MARKING = 'open_marking';

const MARKING = z.object({
  query: z.object({
    scope: z.enum(['selected', 'all']),
    window: z.enum(['24h', '7d', 'any']),
    state: z.enum(['any', 'unread', 'starred']),
    category: z.string().exactOptional(),
    source: z.string().exactOptional(),
    text: z.string().exactOptional(),
    saved: z.string().exactOptional(),
    muted: z.literal(true).exactOptional(),
  }),
  watermark: z.int().min(0),
  now: z.int().min(0),
  below: z.int().min(0),
  above: z.int().min(0).exactOptional(),
  since: z.int().min(0).exactOptional(),
});

/** The marking that a killed process began and did not end; else null. `mirror`: the properties of the mirror. */
export function openMarking(mirror: Pick<Properties, 'json'>): OpenMarking | null {
  return mirror.json<OpenMarking>(OPEN_MARKING, MARKING);
}
