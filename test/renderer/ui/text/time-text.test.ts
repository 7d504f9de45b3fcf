import { fireEvent, render, screen } from '@testing-library/svelte';
import { tick } from 'svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { absoluteTime } from '../../../../src-main/common/time-text.ts';
import { ClockState } from '../../../../src-renderer/ui/clock.svelte.ts';
import { language } from '../../../../src-renderer/ui/language.svelte.ts';
import TimeText from '../../../../src-renderer/ui/text/TimeText.svelte';
import InContext from '../../support/InContext.svelte';

interface ItemTimes {
  publishedAt: string | null;
  discoveredAt: string | null;
}

const PUBLISHED = new Date(2026, 10, 26, 19, 19);
const ADDED = new Date(2026, 10, 26, 20, 47);

beforeEach(() => {
  vi.useFakeTimers({ now: new Date(2026, 10, 26, 23, 59) });
  language.use('en', 'en-US');
});
afterEach(() => vi.useRealTimers());

function show(given: { time: string | null; form: 'list' | 'article' | 'age'; item?: ItemTimes }): HTMLElement {
  render(InContext, { shown: TimeText, given, page: { clock: new ClockState() } });
  return screen.getByRole('time');
}

const textOf = (time: HTMLElement): string => time.textContent.replace(/\u202f/g, ' ');
const full = (time: Date): string => absoluteTime(time.getTime(), language.dateLocale);

describe('the time of an item', () => {
  it.each([
    ['list', '7:19 PM', 'Yesterday'],
    ['article', 'Today, 7:19 PM', 'Yesterday, 7:19 PM'],
  ] as const)('changes at midnight: %s', async (form, before, after) => {
    const time = show({ time: PUBLISHED.toISOString(), form });
    expect(textOf(time)).toBe(before);
    vi.advanceTimersByTime(2 * 60_000);
    await tick();
    expect(textOf(time)).toBe(after);
  });

  it('has a tooltip when it is pointed at, with when it was published, and added, in full', async () => {
    const item = { publishedAt: PUBLISHED.toISOString(), discoveredAt: ADDED.toISOString() };
    const time = show({ time: ADDED.toISOString(), item, form: 'list' });
    expect(textOf(time)).toBe('8:47 PM');
    expect(time.title).toBe('');
    await fireEvent.pointerEnter(time);
    expect(time.title).toBe(`Published ${full(PUBLISHED)}\nAdded ${full(ADDED)}`);
    expect(full(ADDED)).toContain('2026');
  });
});
