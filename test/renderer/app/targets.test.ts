import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { missingMessages } from '../../../src-main/common/i18n/labels.ts';
import { writeFragment, type Target } from '../../../src-main/contract/refs.ts';
import type { ReportLine } from '../../../src-main/contract/model/report.ts';
import type { StoryLine } from '../../../src-main/contract/model/story.ts';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import { NEWS, NOW, openCore, type CoreWire } from '../support/core.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { openApp } from '../support/page.ts';
import { settle } from '../support/settle.ts';

let wire: CoreWire;
let app: AppState;
let publicId: string;

beforeEach(async () => {
  const items = Array.from({ length: 5 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true }));
  wire = await openCore({ ...NEWS, items });
  [{ publicId }] = (await wire.ask('stories.list', { which: 'all' })).stories as [StoryLine];
  app = await openApp(wire);
});

afterEach(() => vi.restoreAllMocks());

async function goTo(target: Target): Promise<void> {
  await app.navigation.goTo(target);
  await settle();
}

describe('going to', () => {
  it('an item, a story, a report, a model or their changes opens it where it belongs', async () => {
    app.navigation.showView('stories');
    await goTo({ view: 'item', id: 'item-2' });
    expect([app.views.current, app.reading.item?.id]).toEqual(['feed', 'item-2']);
    await goTo({ view: 'story', publicId });
    expect([app.views.current, app.views.stories.id]).toEqual(['stories', publicId]);
    const [{ label }] = (await wire.ask('reports.index', { kind: 'weekly' })).lines as [ReportLine];
    await goTo({ view: 'report', kind: 'weekly', label });
    const { archive } = app.views;
    expect([app.views.current, archive.kind, archive.report?.label]).toEqual(['archive', 'weekly', label]);
    const { id } = wire.service.models('embeddings')[0]!;
    await goTo({ view: 'model', modelList: 'embeddings', id });
    expect([app.views.current, app.views.models.open]).toMatchObject(['models', { modelList: 'embeddings', id }]);
    app.navigation.openModel('models', wire.service.models('models')[0]!.id);
    await goTo({ view: 'modelChanges' });
    const { models } = app.views;
    expect([app.views.current, models.panel, models.open]).toMatchObject(['models', 'changes', null]);
  });

  it('what is not stored leaves the reader where they are, and says so', async () => {
    app.navigation.showView('hotTopics');
    const missing: [target: Target, what: keyof typeof missingMessages][] = [
      [{ view: 'item', id: 'gone' }, 'item'],
      [{ view: 'story', publicId: 'gone' }, 'story'],
      [{ view: 'report', kind: 'daily', label: '1999-01-01' }, 'report'],
      [{ view: 'model', modelList: 'models', id: 'gone' }, 'model'],
      [{ view: 'saved', id: 'gone' }, 'saved'],
    ];
    for (const [target, what] of missing) {
      await goTo(target);
      expect([app.views.current, app.toasts.note?.text]).toEqual(['hotTopics', missingMessages[what]()]);
    }
  });

  it('a story that can’t be fetched now opens it, and the view says why it is empty', async () => {
    const failure = { code: 'unreachable', message: '', retryable: true } as const;
    wire.failing.set('stories.get', { ...failure, code: 'not_found' });
    wire.failing.set('stories.open', failure);
    await goTo({ view: 'story', publicId });
    expect([app.views.current, app.views.stories.id]).toEqual(['stories', publicId]);
  });

  it('two targets at once ends at the later one', async () => {
    await Promise.all([app.navigation.goTo({ view: 'story', publicId }), app.navigation.goTo({ view: 'settings' })]);
    await settle();
    expect([app.views.current, app.panel]).toEqual(['feed', 'settings']);
  });
});

describe('a target of the host', () => {
  it('is opened at the start, and whenever the host sends one', async () => {
    let wanted: Target = { view: 'notifications' };
    wire.answer('app.takeTarget', () => ({ target: wanted }));
    const stop = app.navigation.follow();
    await settle();
    expect(app.panel).toBe('notifications');
    wanted = { view: 'item', id: 'item-3' };
    wire.emit('app.goTo', {});
    await settle();
    expect([app.panel, app.reading.item?.id]).toEqual([null, 'item-3']);
    stop();
  });

  it('stays if the last place is known only after it was opened', async () => {
    history.replaceState(null, '');
    let arrived = (): void => undefined;
    const late = new Promise<void>((resolve) => (arrived = resolve));
    wire.answer('app.lastPlace', async () => {
      await late;
      return { place: 'notes', savedAt: new Date(NOW).toISOString() };
    });
    app = new AppState(wire);
    const loading = app.load();
    await app.navigation.goTo({ view: 'story', publicId });
    arrived();
    await loading;
    await settle();
    expect([app.views.current, app.views.stories.id]).toEqual(['stories', publicId]);
  });
});

describe('a separate window', () => {
  it('is opened by the host if it can', async () => {
    wire.capabilities = { ...wire.capabilities, windows: true };
    await app.settings.load();
    await app.navigation.openWindow({ view: 'story', publicId });
    expect(wire.calls.at(-1)).toEqual({
      method: 'app.openWindow',
      args: { target: { view: 'story', publicId } },
    });
  });

  it('is otherwise opened by the browser, without access to its opener', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    await app.navigation.openWindow({ view: 'report', kind: 'daily', label: '2026-11-20' });
    const [address, , features] = open.mock.calls[0]!;
    expect(address).toBe('/#window=broadsheet%3A%2F%2Fdaily%2F2026-11-20');
    expect(features).toContain('noopener');
  });

  it('loads no lists', async () => {
    wire.calls.length = 0;
    const own = new AppState(wire, true);
    await own.load();
    expect(wire.calls.map(({ method }) => method).filter((method) => /page|list|index/.test(method))).toEqual([]);
    expect(own.layout.panes).toBe('one');
  });
});

describe('an address that names what to open', () => {
  afterEach(() => history.replaceState(null, '', '/'));

  it('opens it once: a reload shows where the reader went on to', async () => {
    history.replaceState(null, '', writeFragment('open', { view: 'item', id: 'item-2' }));
    const stop = app.navigation.follow();
    await settle();
    expect([app.reading.item?.id, location.hash]).toEqual(['item-2', '']);
    stop();
  });
});
