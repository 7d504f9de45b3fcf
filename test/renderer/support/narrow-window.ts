import { vi } from 'vitest';

/** Makes jsdom, which knows no media queries, answer those about the least width as a window of `width` px would. */
export function stubWindowWidth(width: number): void {
  vi.stubGlobal('matchMedia', (query: string) => {
    const least = Number(/min-width: ([\d.]+)px/.exec(query)?.[1]);
    return { matches: width >= least, addEventListener: () => undefined, removeEventListener: () => undefined };
  });
}
