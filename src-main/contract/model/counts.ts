export interface ViewCount {
  total: number;
  unread: number;
}

/** Running totals of everything saved, over all time. They always match the lists. */
export interface Counts {
  selected: ViewCount;
  all: ViewCount;
  starred: ViewCount;
  /** Items that mute rules hide. They are in no other list but that of starred items. */
  muted: ViewCount;
  /** What the list of each saved search has, in any order. */
  saved: ({ id: string } & ViewCount)[];
  /** In the order of `KNOWN_CATEGORIES`, then others by name. `category` is null for items without one. */
  categories: { category: string | null; selected: ViewCount; all: ViewCount }[];
}
