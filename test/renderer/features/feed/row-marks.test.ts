import { fireEvent, screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, openOnItems } from '../../support/shown-view.ts';
import type { CoreWire } from '../../support/core.ts';

askShownView();

let wire: CoreWire;
let app: AppState;

const row = (index: number): HTMLElement => screen.getAllByRole('option')[index]!;
const mark = (name: 'read' | 'star'): Element | null => document.querySelector(`[data-action="${name}"]`);

async function point(index: number, { y = index, pointerType = 'mouse' } = {}): Promise<void> {
  await fireEvent.pointerMove(row(index), { pointerType, clientY: 100 * y });
  await settle();
}

beforeEach(async () => {
  ({ app, wire } = await openOnItems());
});

describe('the marks for read and star of a row', () => {
  it('are drawn for the row under the mouse alone, are no tab stops, and change the row without opening it', async () => {
    expect(mark('star')).toBeNull();
    await point(2);
    await point(4);
    expect(document.querySelectorAll('[data-action="star"]')).toHaveLength(1);
    expect(row(4).contains(mark('star'))).toBe(true);
    expect(row(4).querySelectorAll('button, a, [tabindex]')).toHaveLength(0);
    // Rows are scrolled below a pointer that rests.
    await point(5, { y: 4 });
    expect(row(4).contains(mark('star'))).toBe(true);
    await fireEvent.pointerLeave(screen.getByRole('listbox'));
    expect(mark('star')).toBeNull();
    // Touch swipes or presses long.
    await point(2, { pointerType: 'touch' });
    expect(mark('star')).toBeNull();
    await point(3);
    const { readAt } = (await wire.stateOf('item-3')) as { readAt: string | null };
    await clickOn(mark('star')!);
    await clickOn(mark('read')!);
    const now = await wire.stateOf('item-3');
    expect([now.starredAt === null, now.readAt === null]).toEqual([false, readAt !== null]);
    expect(app.history.isPreview('feed')).toBe(true);
  });
});
