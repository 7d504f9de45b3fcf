import { describe, expect, it, vi } from 'vitest';
import { FocusRegions, focusText } from '../../../src-renderer/ui/focus-regions.ts';

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

  it.each([true, false])('has a ring around its text only after something was pressed: %s', (hasBeenActive) => {
    vi.stubGlobal('navigator', Object.assign(Object.create(navigator), { userActivation: { hasBeenActive } }));
    const element = document.createElement('div');
    const focus = vi.spyOn(element, 'focus');
    focusText(element);
    expect(focus.mock.calls).toEqual([[{ preventScroll: true, ...(hasBeenActive ? {} : { focusVisible: false }) }]]);
    vi.unstubAllGlobals();
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
