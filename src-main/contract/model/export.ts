import type { z } from 'zod';
import type { feedLinks } from '../guards.ts';
import { REPORT_KINDS } from './report.ts';

export const FEED_FORMATS = ['atom', 'jsonfeed'] as const;
export type FeedFormat = (typeof FEED_FORMATS)[number];
/** Lists and reports that `serve` gives to feed readers. */
export const LIVE_FEEDS = ['selected', 'items', 'starred', 'saved', ...REPORT_KINDS] as const;
/** For a feed that has an address. */
export type FeedLinks = z.infer<typeof feedLinks>;

export const ITEM_EXPORT_FORMATS = [...FEED_FORMATS, 'csv', 'md'] as const;
export type ItemExportFormat = (typeof ITEM_EXPORT_FORMATS)[number];

export const MOST_REPORTS_IN_PART = 20;
export const MOST_REPORTS_IN_BOOK = 100;
export const MOST_FILES_IN_PART = 200;

export interface ExportPart {
  text: string;
  count: number;
  /** How many entries are left out because they were withdrawn. */
  left: number;
  updatedAt: string | null;
  next: string | null;
}

/** Surrounds the parts. `head` has the same length in UTF-8 for any `updatedAt`, so it can be replaced in place. */
export interface ExportFrame {
  name: string;
  mediaType: string;
  head: string;
  separator: string;
  tail: string;
}

/** A file of a vault. `id` is the same on every device, and in feeds; `name` follows the title. */
export interface VaultFile {
  id: string;
  name: string;
  text: string;
}
