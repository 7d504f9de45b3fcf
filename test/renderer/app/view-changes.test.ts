import { fireEvent } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NEWS, openCore, type CoreWire } from '../support/core.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';
import { askShownView, click, named, show } from '../support/shown-view.ts';
import { waitFor } from '../support/wait.ts';

askShownView();

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  wire = await openCore(NEWS);
  ({ app } = await openPage(wire));
});

describe('changing views', () => {
  it('leads to the feed for a saved item, and not for the search, which is over every view', async () => {
    const [topic] = (await wire.ask('hotTopics.list', {})).topics;
    await show('Topics');
    app.actions.step(1);
    await settle();
    await click('button', 'Show in feed');
    expect(app.views.current).toBe('feed');
    expect(app.reading.item?.id).toBe(topic?.id);
    app.navigation.showView('hotTopics');
    await fireEvent.keyDown(window, { key: '/' });
    await settle();
    expect([app.views.current, app.finder]).toEqual(['hotTopics', 'search']);
  });

  it('works in Chinese', async () => {
    await app.settings.set({ language: 'zh-CN' });
    app.navigation.showView('archive');
    await waitFor(() => named('heading', '报告'));
    expect(named('button', '日报')).toBeTruthy();
    await app.settings.set({ language: 'en' });
  });
});
