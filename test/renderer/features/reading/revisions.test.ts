import { screen } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import type { CoreWire } from '../../support/core.ts';
import { clickOn } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { askShownView, openOnItems } from '../../support/shown-view.ts';
import { waitFor } from '../../support/wait.ts';

askShownView();

const FAILED = 'Couldn’t load the changes.';

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  ({ app, wire } = await openOnItems());
  await wire.revise('item-0', { title: 'Old title' });
});

async function openRevised(): Promise<void> {
  await wire.revise('item-0', { title: 'New title' });
  await settle();
  app.items.open(app.feed.list.at(0)!);
  await settle();
}

describe('the revisions of an item', () => {
  it('are listed, those of one item not under another, or say that they could not be loaded, with a retry', async () => {
    wire.failing.set('items.revisions', { code: 'data_unreadable', message: '', retryable: false });
    await openRevised();
    await waitFor(() => screen.getByText(FAILED));
    expect(screen.queryAllByText('The saved data can’t be read.')).toHaveLength(1);
    expect(screen.queryByText('No earlier changes recorded.')).toBeNull();
    wire.failing.clear();
    await clickOn(screen.getByRole('button', { name: 'Try again' }));
    expect(screen.queryAllByText('Old', { selector: 'del' })).toHaveLength(1);
    expect(screen.queryByText(FAILED)).toBeNull();
    wire.failing.set('items.revisions', { code: 'data_unreadable', message: '', retryable: false });
    await wire.revise('item-1', { title: 'Another title' });
    await settle();
    app.items.open(app.feed.list.at(1)!);
    await settle();
    expect(screen.queryAllByText(FAILED)).toHaveLength(1);
    expect(screen.queryByText('Old', { selector: 'del' })).toBeNull();
  });
});
