/** What lists of sources can be sorted by: each begins with the most, names with A. */
export const SOURCE_SORTS = ['unread', 'frequency', 'selected', 'first', 'name'] as const;
export type SourceSort = (typeof SOURCE_SORTS)[number];

/** So many days decide how often a source publishes. */
export const FREQUENCY_DAYS = 28;

/** Who publishes items. All saved items count but muted ones; `stories` and `first` count all reports, muted ones too. */
export interface SourceLine {
  /** As rows show it. It stands for the source in an `ItemsQuery`. */
  name: string;
  items: number;
  unread: number;
  /** How many of its items are in the selected set. */
  selected: number;
  /** Items of the last {@link FREQUENCY_DAYS} days. */
  recent: number;
  /** Saved stories with reports of several sources in which it takes part. */
  stories: number;
  /** In how many of these its report was the first. */
  first: number;
  /** The time of its newest item. */
  newestAt: string;
}

export interface SourceList {
  /** Those from the wanted offset on. */
  sources: SourceLine[];
  /** How many match. */
  count: number;
}

/** Items of seven days. */
export interface SourceWeek {
  /** When the seven days begin. */
  from: string;
  items: number;
}

export interface SourcePage extends SourceLine {
  /** Its names as its newest items have them. */
  names: string[];
  /** The last weeks, oldest first. The last one ends now. */
  weeks: SourceWeek[];
}
