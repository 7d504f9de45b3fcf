export interface ViewCount {
  total: number;
  unread: number;
}

/** Running totals of everything saved, over all time. They always match the lists. */
export interface Counts {
  selected: ViewCount;
  all: ViewCount;
  starred: ViewCount;
  /** In the order of `KNOWN_CATEGORIES`, then others by name. `category` is null for items without one. */
  categories: { category: string | null; selected: ViewCount; all: ViewCount }[];
}
