/** Returns a function that says if the reader has done something in this page since. */
export function firstTouch(): () => boolean {
  let touched = false;
  const touch = (): void => {
    touched = true;
  };
  for (const name of ['pointerdown', 'keydown']) {
    window.addEventListener(name, touch, { capture: true, once: true, passive: true });
  }
  return () => touched;
}
