export const SOURCE_SORTS = ['unread', 'frequency', 'selected', 'first', 'name'] as const;
export type SourceSort = (typeof SOURCE_SORTS)[number];

export const FREQUENCY_DAYS = 28;

/** A longer list is searched, not scrolled. */
export const MAX_SOURCE_CHOICES = 50;

/** Leaves out muted items, except in `stories` and `first`. */
export interface SourceLine {
  name: string;
  items: number;
  unread: number;
  selected: number;
  recent: number;
  stories: number;
  first: number;
  newestAt: string;
}

export interface SourceList {
  sources: SourceLine[];
  count: number;
}

interface SourceWeek {
  from: string;
  items: number;
}

export interface SourcePage extends SourceLine {
  names: string[];
  weeks: SourceWeek[];
}

export const STATISTICS_DAYS = [30, 90, 365] as const;
export type StatisticsDays = (typeof STATISTICS_DAYS)[number];

export const MAX_NAMED_SOURCES = 10;

/** By listed time. Spans are in this computer's zone. */
export interface Statistics {
  /** Oldest first: days, or seven days each for 90 days and more. The last one ends today. */
  spans: string[];
  categories: { category: string | null; items: number[] }[];
  sources: { name: string; items: number[] }[];
  rest: { sources: number; items: number[] };
  /** Seven days each, oldest first. Leaves out items that started as read. */
  weeks: { from: string; read: number; unread: number }[];
  first: { name: string; first: number }[];
  stories: number;
}
