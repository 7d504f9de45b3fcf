/** Today's unread content besides a report, and the ways to it. */
export interface LeftToday {
  /** Unread items in Selected, hot topics that were not opened yet, followed stories with news. */
  readonly selected: number;
  readonly topics: number;
  readonly stories: number;
  readonly show: (what: 'selected' | 'topics' | 'stories' | 'front') => void;
}
