import { within } from '@testing-library/svelte';
import { expect, it } from 'vitest';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, openOnDaily, pressGo, show } from '../../support/shown-view.ts';

askShownView();

it('the rest of a daily is marked as read, and taken back: at once, or with z after other marks', async () => {
  const { app } = await openOnDaily();
  await show('Reports');
  await pressGo('d');
  const reading = within(document.querySelector<HTMLElement>('#archive-reading')!);
  const end = () => within(reading.getByRole('region', { name: 'End of the report' }));
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
  await clickOn(reading.getAllByRole('button', { name: 'Mark as unread' })[0]!);
  await app.actions.takeBack();
  expect(app.views.archive.report?.readAt).not.toBeNull();
  await app.actions.takeBack();
  expect(app.views.archive.length!.unread).toBe(unread);
});
