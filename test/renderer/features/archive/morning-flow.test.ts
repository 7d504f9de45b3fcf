import { within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { clickOn, keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { actOnReport, askShownView, click, openOnDaily, pressGo, show, shown } from '../../support/shown-view.ts';

askShownView();

describe('the morning flow', () => {
  let app: AppState;
  const reading = () => within(document.querySelector<HTMLElement>('#archive-reading')!);
  const end = () => within(reading().getByRole('region', { name: 'End of the report' }));

  const next = async (): Promise<void> => {
    await keyDown(document.body, { key: 'n' });
  };

  beforeEach(async () => {
    ({ app } = await openOnDaily());
    await show('Reports');
    await pressGo('d');
  });

  it('starts with how long the daily is and how much of it is read, and leaves the focus on buttons', async () => {
    const { stories, minutes, read } = app.views.archive.length!;
    expect(read).toBeGreaterThan(0);
    const count = (now: number): HTMLElement => reading().getByText(`${now} of ${stories}`);
    expect(reading().queryAllByText(`${stories} stories, ${minutes} minutes`)).toHaveLength(1);
    expect(count(read).textContent).toBe(`${read} of ${stories}`);
    await actOnReport('Next unread story');
    expect(count(read + 1).textContent).toBe(`${read + 1} of ${stories}`);
    const here = reading().getByText('', { selector: '[aria-current="true"]' });
    expect(document.activeElement).toBe(here);
    const { unread } = app.views.archive.length!;
    const mark = reading().getAllByRole('button', { name: 'Mark as read' }).at(-1)!;
    mark.focus();
    await settle();
    expect(document.activeElement).toBe(mark);
    expect(app.views.archive.place).toBe(app.views.archive.stories.length - 1);
    await clickOn(mark);
    expect(app.views.archive.length!.unread).toBe(unread - 1);
    await app.actions.takeBack();
    expect(app.views.archive.length!.unread).toBe(unread);
    const rest = end().getByRole('button', { name: `Mark all ${unread} unread as read` });
    rest.focus();
    await settle();
    expect([document.activeElement, app.views.archive.place]).toEqual([rest, 'end']);
  });

  it('ends with what was read, no time that nobody would believe, and the way back, and marks the daily as read', async () => {
    const { stories, read, unread } = app.views.archive.length!;
    expect(end().queryAllByText(`${read} of ${stories} stories read`)).toHaveLength(1);
    expect(app.views.archive.report?.readAt).toBeNull();
    for (let n = 0; n < unread; n += 1) await next();
    expect(end().queryAllByText(/^That’s /)).toHaveLength(1);
    // Nobody reads so fast.
    expect(end().queryAllByText(`${stories} stories`)).toHaveLength(1);
    await click('button', 'More actions for this report');
    expect(shown().queryByRole('menuitem', { name: 'Next unread story' })).toBeNull();
    expect(app.views.archive.report?.readAt).not.toBeNull();
    await clickOn(end().getByRole('button', { name: 'Back to Today' }));
    expect(app.history.location.view).toBe('today');
  });

  it('can mark the rest as read, and take that back: at once, or with z after other marks', async () => {
    const { unread } = app.views.archive.length!;
    const markRest = async (): Promise<void> => {
      await clickOn(end().getByRole('button', { name: `Mark all ${unread} unread as read` }));
    };
    await markRest();
    expect(end().queryAllByText(/^That’s /)).toHaveLength(1);
    expect(app.toasts.note?.text).toBe(`${unread} stories marked as read`);
    app.toasts.note?.action?.run();
    await settle();
    expect(app.views.archive.length!.unread).toBe(unread);
    await markRest();
    app.toasts.dismiss();
    expect(app.undo.bulk?.what).toBe(`${unread} stories marked as read`);
    await clickOn(reading().getAllByRole('button', { name: 'Mark as unread' })[0]!);
    await app.actions.takeBack();
    expect(app.views.archive.report?.readAt).not.toBeNull();
    await app.actions.takeBack();
    expect(app.views.archive.length!.unread).toBe(unread);
  });
});
