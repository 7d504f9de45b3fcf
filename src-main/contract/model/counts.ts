export interface ViewCount {
  total: number;
  unread: number;
}

/** Kept counters of everything stored, without a window: they always agree with the lists under them. */
export interface Counts {
  selected: ViewCount;
  all: ViewCount;
  starred: ViewCount;
  /** In the order of `KNOWN_CATEGORIES`, then others by name. `category` is null for items without one. */
  categories: { category: string | null; selected: ViewCount; all: ViewCount }[];
}
