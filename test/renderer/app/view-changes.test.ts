import { fireEvent } from '@testing-library/svelte';
import { beforeEach, describe, expect, it } from 'vitest';
import type { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NEWS, openCore, type CoreWire } from '../support/core.ts';
import { openPage } from '../support/page.ts';
import { settle } from '../support/settle.ts';
import { askShownView, named } from '../support/shown-view.ts';
import { waitFor } from '../support/wait.ts';

askShownView();

let wire: CoreWire;
let app: AppState;

beforeEach(async () => {
  wire = await openCore(NEWS);
  ({ app } = await openPage(wire));
});

describe('changing views', () => {
  it('is done by the search from every view', async () => {
    app.navigation.showView('hotTopics');
    await waitFor(() => named('heading', 'Topics'));
    await fireEvent.keyDown(window, { key: '/' });
    await settle();
    expect(app.views.current).toBe('search');
  });

  it('works in Chinese', async () => {
    await app.settings.set({ language: 'zh-CN' });
    app.navigation.showView('archive');
    await waitFor(() => named('heading', '报告'));
    expect(named('button', '日报')).toBeTruthy();
    await app.settings.set({ language: 'en' });
  });
});
