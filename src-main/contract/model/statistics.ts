/** Over how many days statistics go. */
export const STATISTICS_DAYS = [30, 90, 365] as const;
export type StatisticsDays = (typeof STATISTICS_DAYS)[number];

/** How many sources are named one by one. */
export const NAMED_SOURCES = 10;

/** Saved items over time, by when they are listed. Spans are in the zone of this computer. */
export interface Statistics {
  /** When each span begins (RFC 3339), oldest first: days, or seven days each for 90 days and more. The last one ends today. */
  spans: string[];
  /** Items of each span by category, the largest first. */
  categories: { category: string | null; items: number[] }[];
  /** The {@link NAMED_SOURCES} sources with the most items. */
  sources: { name: string; items: number[] }[];
  /** All others, and items without a source. */
  rest: { sources: number; items: number[] };
  /** Seven days each, oldest first: which of their items were read by now. What started as read is in neither number. */
  weeks: { from: string; read: number; unread: number }[];
  /** Who was most often the first to report a story that began in this time, among several sources. */
  first: { name: string; first: number }[];
  /** The number of such stories. */
  stories: number;
}
