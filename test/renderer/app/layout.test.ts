import { afterEach, describe, expect, it, vi } from 'vitest';
import { LayoutState } from '../../../src-renderer/app/layout.svelte.ts';
import { stubWindowWidth } from '../support/narrow-window.ts';

afterEach(() => vi.unstubAllGlobals());

function panesAt(width: number, textSize = 100): string {
  stubWindowWidth(width);
  return new LayoutState({ textSize: () => textSize, ownWindow: false, openSidebar: () => undefined }).panes;
}

describe('the panes', () => {
  it.each([
    // 1440 px at 200 %: two panes would both be squeezed.
    [720, 'one'],
    [859, 'one'],
    [860, 'two'],
    [1099, 'two'],
    [1100, 'three'],
  ])('at %i px: %s', (width, panes) => {
    expect(panesAt(width)).toBe(panes);
  });

  it.each([
    [1000, 125, 'one'],
    [1374, 125, 'two'],
    [1375, 125, 'three'],
  ])('at %i px, with text of %i percent: %s', (width, textSize, panes) => {
    expect(panesAt(width, textSize)).toBe(panes);
  });
});
