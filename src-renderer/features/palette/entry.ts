import type { FinderGroup, FinderOption } from '../../ui/controls/finder.ts';
import { bestFit } from './match.ts';

/** The groups of the palette, in their order. */
export const PALETTE_GROUPS = ['recent', 'views', 'sources', 'saved', 'categories', 'commands', 'settings'] as const;
export type PaletteGroup = (typeof PALETTE_GROUPS)[number];

/** Something that the palette offers. */
export interface PaletteEntry extends FinderOption {
  group: PaletteGroup;
  /** Its names in the other languages, by which it is found, too. */
  otherNames: readonly string[];
  /** Keys to press one after another that do the same; none if there are none. */
  keys: readonly string[];
  run: () => void;
}

/** As many of one group as are offered for what was typed. */
const MOST_OF_A_GROUP = 40;
/** Of the sources before anything is typed, so that what follows them stays near. */
const MOST_UNTYPED_SOURCES = 8;

/**
 * The entries that fit what was typed: the best group first, and in it the best entry. Without a text all of them but for the
 * sources, of which there are the first few, in the order of the groups.
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
