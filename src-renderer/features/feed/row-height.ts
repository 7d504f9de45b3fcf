import type { Settings } from '../../../src-main/contract/settings.ts';

const ROW_HEIGHT: Readonly<Record<Settings['density'], number>> = { comfortable: 108, compact: 58 };

/** Returns the fixed height of a list row in px. The layout of `ItemRow.svelte` fits into it. */
export function rowHeight({ density, textSize }: Pick<Settings, 'density' | 'textSize'>): number {
  return scaled(ROW_HEIGHT[density], textSize);
}

/** Converts a height in px at the default text size to one at a text size in percent. */
export function scaled(px: number, textSize: number): number {
  return Math.ceil((px * textSize) / 100);
}
