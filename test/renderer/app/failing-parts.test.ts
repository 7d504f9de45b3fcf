import { fireEvent, screen, within } from '@testing-library/svelte';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { m } from '../../../src-main/common/i18n/messages.ts';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { STORIES, type CoreWire } from '../support/core.ts';
import { settle } from '../support/settle.ts';
import { openOn } from '../support/shown-view.ts';
import { waitFor } from '../support/wait.ts';

let app: AppState;
let wire: CoreWire;
let broken: string;
let whole: string;

const failures = (): number => document.querySelectorAll('.defect').length;

/** Opens the page with a story and with changes of models that it cannot show. */
async function open(): Promise<void> {
  ({ app, wire } = await openOn(STORIES, { withoutRows: true }));
  [broken, whole] = (await wire.ask('stories.list', { which: 'all' })).stories.map(({ publicId }) => publicId) as [
    string,
    string,
  ];
  for (const method of ['stories.get', 'stories.open'] as const) {
    wire.answer(method, async (args) => {
      const story = await wire.ask(method, args);
      return args.publicId === broken ? { ...story, reports: null as never } : story;
    });
  }
  const refresh = { id: 1, modelList: 'models', at: '', otherKey: false, changes: null as never } as const;
  wire.answer('models.changes', () => ({ refreshes: [refresh] }));
}

afterEach(() => void vi.unstubAllGlobals());
beforeEach(() => void vi.spyOn(console, 'error').mockReturnValue());

describe('a part of the page that cannot be shown', () => {
  it('leaves lists and panels reachable, is gone when another one is opened, and tried again by one press', async () => {
    await open();
    app.navigation.openStory(broken);
    await waitFor(() => expect(failures()).toBe(1));
    expect(wire.argsOf('problems.report')).toHaveLength(1);
    expect(document.querySelectorAll('#stories-list [role=option]').length).toBeGreaterThan(1);
    app.views.stories.open(whole);
    await waitFor(() => expect(failures()).toBe(0));
    expect(document.querySelector('#story-title')).not.toBeNull();
    app.views.stories.open(broken);
    await waitFor(() => expect(failures()).toBe(1));
    await settle();
    broken = '';
    await fireEvent.click(screen.getByRole('button', { name: m.try_again() }));
    await waitFor(() => expect(document.querySelector('#story-title')).not.toBeNull());
    expect(failures()).toBe(0);

    // It is remembered, too.
    app.views.models.panel = 'changes';
    app.navigation.showView('models');
    await waitFor(() => expect(failures()).toBe(1));
    await fireEvent.click(
      within(document.querySelector<HTMLElement>('#models-list')!).getByRole('button', { name: 'Back to the table' }),
    );
    await waitFor(() => expect(document.querySelector('[role=grid]')).not.toBeNull());
    expect(failures()).toBe(0);
  });
});
