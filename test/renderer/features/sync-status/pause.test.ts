import { screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { endOfPause } from '../../../../src-renderer/features/sync-status/index.ts';
import { openCore, type CoreWire } from '../../support/core.ts';
import { openPage } from '../../support/page.ts';
import { clickOn } from '../../support/reader.ts';

const HOUR = 3_600_000;

let wire: CoreWire;
let app: AppState;

const line = (): HTMLElement => screen.getByRole('button', { name: /^(Sync|同步):/ });
const panel = (): HTMLElement => screen.getByRole('group', { name: /^(Sync|同步)$/ });
const button = (name: string): HTMLElement => within(panel()).getByRole('button', { name });
const click = async (name: string): Promise<void> => {
  await clickOn(button(name));
};

beforeEach(async () => {
  wire = await openCore();
  ({ app } = await openPage(wire));
  await clickOn(line());
});

const pauses = () => wire.argsOf('sync.pause');

describe('the pause', () => {
  it('is offered for an hour, until tomorrow and without end, with the focus on the first', async () => {
    expect(button('Pause updates').getAttribute('aria-expanded')).toBe('false');
    await click('Pause updates');
    expect(button('Pause updates').getAttribute('aria-expanded')).toBe('true');
    const group = within(panel()).getByRole('group', { name: 'Pause updates' });
    expect(button('Pause updates').getAttribute('aria-controls')).toBe(group.id);
    const choices = within(group).getAllByRole('button');
    expect(choices.map((choice) => choice.textContent)).toEqual(['For 1 hour', 'Until tomorrow', 'Until I resume']);
    expect(document.activeElement).toBe(choices[0]);
  });

  it.each([
    { choice: 'For 1 hour', span: 'hour' },
    { choice: 'Until tomorrow', span: 'tomorrow' },
  ] as const)('holds: $choice', async ({ choice, span }) => {
    const { now } = app.clock;
    await click('Pause updates');
    await click(choice);
    expect(pauses()).toEqual([{ untilMs: endOfPause(span, now) }]);
    expect(line().textContent).toMatch(/Paused until .*\d{1,2}:\d{2}/);
    expect(document.activeElement).toBe(button('Resume updates'));
  });

  it('without end is resumed with the same button', async () => {
    await click('Pause updates');
    await click('Until I resume');
    expect(pauses()).toEqual([{ untilMs: null }]);
    expect(line().textContent).toContain('Paused');
    expect(screen.getAllByRole('status').some((status) => status.textContent.trim() === 'Paused')).toBe(true);
    await click('Resume updates');
    expect(app.sync.pause).toBeNull();
    expect(line().textContent).not.toContain('Paused');
    expect(document.activeElement).toBe(button('Pause updates'));
  });
});

describe('the end of a pause', () => {
  it('is an hour later, the next local midnight, or open', () => {
    const evening = new Date(2026, 2, 28, 21, 30).getTime();
    expect(endOfPause('hour', evening)).toBe(evening + HOUR);
    expect(endOfPause('tomorrow', evening)).toBe(new Date(2026, 2, 29).getTime());
    expect(endOfPause('resumed', evening)).toBeNull();
  });
});
