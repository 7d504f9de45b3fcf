import type { Settings } from '../../../src-main/contract/settings.ts';

const ROW_HEIGHT: Readonly<Record<Settings['density'], number>> = { comfortable: 94, compact: 54 };

/** The fixed height of a list row in px. The layout of `ItemRow.svelte` fits into it. */
export function rowHeight({ density, textSize }: Pick<Settings, 'density' | 'textSize'>): number {
  return scaled(ROW_HEIGHT[density], textSize);
}

/** The height in px of something sized in rem, at a text size in percent. */
export function scaled(px: number, textSize: number): number {
  return Math.ceil((px * textSize) / 100);
}
