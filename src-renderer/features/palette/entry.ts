import type { FinderGroup, FinderOption } from '../../ui/controls/finder.ts';
import { bestFit } from './match.ts';

/** The groups of the palette, in their order. */
export const PALETTE_GROUPS = ['recent', 'views', 'sources', 'saved', 'categories', 'commands', 'settings'] as const;
export type PaletteGroup = (typeof PALETTE_GROUPS)[number];

export interface PaletteEntry extends FinderOption {
  group: PaletteGroup;
  /** The names in the other languages, which are searched, too. */
  otherNames: readonly string[];
  /** Keys to press one after another for the same; empty if there are none. */
  keys: readonly string[];
  run: () => void;
}

/** Most entries of one group for a text. */
const MOST_OF_A_GROUP = 40;
/** Most sources before anything is typed, so that the next groups stay near. */
const MOST_UNTYPED_SOURCES = 8;

/**
 * Returns the entries that match a text: the best group first, and in it the best entry. Without a text all of them
 * except for the sources, only the first of which are included, in the order of the groups.
 */
export function paletteGroups(
  entries: readonly PaletteEntry[],
  typed: string,
  titles: Readonly<Record<PaletteGroup, () => string>>,
): FinderGroup<PaletteEntry>[] {
  const found = entries.flatMap((entry) => {
    const fit = bestFit(typed, [entry.name, ...entry.otherNames]);
    return fit === null ? [] : [{ entry, fit }];
  });
  const mostOf = (key: PaletteGroup): number =>
    key === 'sources' && typed.trim() === '' ? MOST_UNTYPED_SOURCES : MOST_OF_A_GROUP;
  return PALETTE_GROUPS.map((key) => {
    const own = found.filter(({ entry }) => entry.group === key).sort((a, b) => a.fit - b.fit);
    return { key, best: own[0]?.fit ?? Infinity, options: own.slice(0, mostOf(key)).map(({ entry }) => entry) };
  })
    .filter(({ options }) => options.length > 0)
    .sort((a, b) => a.best - b.best)
    .map(({ key, options }) => ({ key, title: titles[key](), options }));
}
