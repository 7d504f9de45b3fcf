/**
 * Fades the end of a region that scrolls sideways while there is more. A number that the edge cuts would otherwise look
 * complete: `$0.1` of `$0.15`.
 */
export function fadeCut(region: HTMLElement): () => void {
  const update = (): void => {
    const { scrollLeft, clientWidth, scrollWidth, offsetWidth } = region;
    region.classList.toggle('cut-end', Math.abs(scrollLeft) + clientWidth < scrollWidth - 1);
    // The scroll bar doesn't fade.
    region.style.setProperty('--bar', `${String(offsetWidth - clientWidth)}px`);
  };
  const sizes = new ResizeObserver(update);
  sizes.observe(region);
  for (const child of region.children) sizes.observe(child);
  region.addEventListener('scroll', update, { passive: true });
  return () => {
    sizes.disconnect();
    region.removeEventListener('scroll', update);
  };
}
