/** A row of a {@link Finder.svelte}. */
export interface FinderOption {
  id: string;
  /** What the row is called by those who hear the list. */
  name: string;
}

export interface FinderGroup<Option extends FinderOption> {
  key: string;
  title: string;
  /** How many there are, in words; left out where the rows are all there is. */
  count?: string | undefined;
  options: readonly Option[];
}
