/** Widest gap between two bars, as a part of the space for one. */
const GAP = 0.22;
/** In px, so that small values stay visible. */
const LEAST = 1.5;

/**
 * Draws bars as one path: the highest value fills the height. Values of zero have no bar. `most` is the highest value
 * of all charts with the same scale; by default that of this one.
 */
export function barPath(
  values: readonly number[],
  { width, height }: { width: number; height: number },
  most = values.reduce((a, b) => Math.max(a, b), 0),
): string {
  if (most <= 0 || values.length === 0) return '';
  const room = width / values.length;
  const gap = Math.min(2, room * GAP);
  return values
    .map((value, index) => {
      if (value <= 0) return '';
      const tall = Math.max(LEAST, (value / most) * height);
      const at = (px: number): string => String(Math.round(px * 100) / 100);
      return `M${at(index * room + gap / 2)},${at(height)}v${at(-tall)}h${at(room - gap)}v${at(tall)}z`;
    })
    .join('');
}
