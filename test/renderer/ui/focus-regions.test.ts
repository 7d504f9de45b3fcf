import { fireEvent } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import { FocusRegions, markKeyUse } from '../../../src-renderer/ui/focus-regions.ts';

function attached(html: string, regions: FocusRegions): { element: HTMLElement; detach: () => void } {
  const element = document.createElement('div');
  element.innerHTML = html;
  document.body.append(element);
  const detach = regions.place('stories', 'list')(element);
  return { element, detach: () => detach?.() };
}

const focused = (): string => document.activeElement?.textContent ?? '';

describe('a place for the focus', () => {
  it.each([
    ['the current entry', '<button>a</button><p tabindex="0">b</p><button aria-current="true">c</button>', 'c'],
    ['else its tab stop', '<button>a</button><p tabindex="0">b</p><p aria-current="true">c</p>', 'b'],
    ['else its first button', '<p>a</p><button>b</button><button>c</button>', 'b'],
  ])('is entered at %s', (_where, html, text) => {
    const regions = new FocusRegions();
    attached(html, regions);
    regions.focusIn('stories', 'list');
    expect(focused()).toBe(text);
  });

  it('takes the focus itself, and says whether it is there', () => {
    const regions = new FocusRegions();
    expect(regions.focus('stories', 'list')).toBe(false);
    const { element, detach } = attached('text', regions);
    element.tabIndex = -1;
    expect(regions.focus('stories', 'list')).toBe(true);
    expect(document.activeElement).toBe(element);
    detach();
    expect(regions.focus('stories', 'list')).toBe(false);
  });

  it('shows the focus only while keys are used', async () => {
    const root = document.documentElement;
    const isShown = (): boolean => root.matches('[data-keys]');
    markKeyUse(root);
    expect(isShown()).toBe(false);
    await fireEvent.keyDown(document.body, { key: 'Shift' });
    expect(isShown()).toBe(false);
    await fireEvent.keyDown(document.body, { key: 'j' });
    expect(isShown()).toBe(true);
    await fireEvent.pointerDown(document.body);
    expect(isShown()).toBe(false);
  });

  it('stays with the later of two elements when the earlier one goes', () => {
    const regions = new FocusRegions();
    const first = attached('first', regions);
    const second = attached('second', regions);
    second.element.tabIndex = -1;
    first.detach();
    expect(regions.focus('stories', 'list')).toBe(true);
    expect(document.activeElement).toBe(second.element);
  });
});
