import { vi } from 'vitest';

/**
 * Makes jsdom, which knows no media queries, answer those about the least width as a window of `width` px would. Returns what
 * gives the window another width.
 */
export function stubWindowWidth(width: number): (width: number) => void {
  let now = width;
  const changes = new EventTarget();
  vi.stubGlobal('matchMedia', (query: string) => {
    const least = Number(/min-width: ([\d.]+)px/.exec(query)?.[1]);
    return {
      get matches() {
        return now >= least;
      },
      addEventListener: changes.addEventListener.bind(changes),
      removeEventListener: changes.removeEventListener.bind(changes),
    };
  });
  return (next) => {
    now = next;
    changes.dispatchEvent(new Event('change'));
  };
}
