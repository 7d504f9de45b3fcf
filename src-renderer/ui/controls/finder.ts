/** A row of a {@link Finder.svelte}. */
export interface FinderOption {
  id: string;
  /** Accessible name. */
  name: string;
  /** True if its row is one of a list, with its own room and background. */
  whole?: boolean;
}

export interface FinderGroup<Option extends FinderOption> {
  key: string;
  title: string;
  /** The number of rows in words; missing if the list is complete without it. */
  count?: string | undefined;
  options: readonly Option[];
}
