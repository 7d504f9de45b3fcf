import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Target } from '../../../src-main/contract/targets.ts';
import { en } from '../../../src-renderer/i18n/en.ts';
import { Reader } from '../../../src-renderer/app/app-state.svelte.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { MemoryWire } from '../support/memory-wire.ts';
import { settle } from '../support/settle.ts';

const NOW = Date.now();

let wire: MemoryWire;
let reader: Reader;

beforeEach(async () => {
  wire = new MemoryWire(
    Array.from({ length: 5 }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true })),
    NOW,
  );
  wire.settings = { ...wire.settings, language: 'en' };
  reader = new Reader(wire);
  await reader.load();
});

afterEach(() => vi.restoreAllMocks());

async function goTo(target: Target): Promise<void> {
  await reader.navigation.goTo(target);
  await settle();
}

describe('going to', () => {
  it('an item opens it in the feed', async () => {
    reader.showDesk('stories');
    await goTo({ view: 'item', id: 'item-2' });
    expect([reader.desks.current, reader.reading.item?.id]).toEqual(['feed', 'item-2']);
  });

  it('a story opens it among the stories', async () => {
    await goTo({ view: 'story', publicId: 'story-1' });
    expect([reader.desks.current, reader.desks.stories.trail.story?.publicId]).toEqual(['stories', 'story-1']);
  });

  it('a report opens it in the archive, in the list of its kind', async () => {
    const { label } = wire.desks.indexes.weekly[0]!;
    await goTo({ view: 'edition', kind: 'weekly', label });
    const { archive } = reader.desks;
    expect([reader.desks.current, archive.kind, archive.edition?.label]).toEqual(['archive', 'weekly', label]);
  });

  it('a model opens its page', async () => {
    const { id } = wire.models.models.embeddings[0]!;
    await goTo({ view: 'model', listing: 'embeddings', id });
    expect([reader.desks.current, reader.desks.models.open]).toEqual(['models', { listing: 'embeddings', id }]);
  });

  it('what changed of the models leaves the page of a model', async () => {
    reader.openModel('models', wire.models.models.models[0]!.id);
    await goTo({ view: 'modelChanges' });
    const { models } = reader.desks;
    expect([reader.desks.current, models.panel, models.open]).toEqual(['models', 'changes', null]);
  });

  it.each(['notices', 'settings'] as const)('the %s opens them', async (view) => {
    await goTo({ view });
    expect(reader.panel).toBe(view);
  });

  it('the feed leaves dialogs and desks', async () => {
    reader.showDesk('archive');
    reader.panel = 'help';
    await goTo({ view: 'feed' });
    expect([reader.desks.current, reader.panel]).toEqual(['feed', null]);
  });

  it.each<[Target, keyof typeof en.places.missing]>([
    [{ view: 'item', id: 'gone' }, 'item'],
    [{ view: 'story', publicId: 'gone' }, 'story'],
    [{ view: 'edition', kind: 'daily', label: '1999-01-01' }, 'edition'],
    [{ view: 'model', listing: 'models', id: 'gone' }, 'model'],
  ])('what is not stored stays where the reader is, and says so: %j', async (target, what) => {
    reader.showDesk('hotTopics');
    await goTo(target);
    expect(reader.desks.current).toBe('hotTopics');
    expect(reader.notes.note?.text).toBe(en.places.missing[what]);
  });

  it('a story that cannot be asked for now tells that in its place, with a way to try again', async () => {
    const failure = { code: 'unreachable', message: '', retryable: true } as const;
    wire.failing.set('stories.get', { ...failure, code: 'not_found' });
    wire.failing.set('stories.open', failure);
    await goTo({ view: 'story', publicId: 'story-1' });
    expect([reader.desks.current, reader.desks.stories.trail.reading.failure?.code]).toEqual([
      'stories',
      'unreachable',
    ]);
  });

  it('two places at once ends at the later one', async () => {
    await Promise.all([
      reader.navigation.goTo({ view: 'story', publicId: 'story-1' }),
      reader.navigation.goTo({ view: 'settings' }),
    ]);
    await settle();
    expect([reader.desks.current, reader.panel]).toEqual(['feed', 'settings']);
  });
});

describe('what the host wants', () => {
  it('is done at the start, and when it says so', async () => {
    wire.desktop.target = { view: 'notices' };
    const stop = reader.navigation.follow();
    await settle();
    expect(reader.panel).toBe('notices');
    wire.desktop.target = { view: 'item', id: 'item-3' };
    wire.emit('app.goTo', {});
    await settle();
    expect([reader.panel, reader.reading.item?.id]).toEqual([null, 'item-3']);
    stop();
  });
});

describe('a window of its own', () => {
  it('is opened by a host that can', async () => {
    wire.capabilities = { ...wire.capabilities, windows: true };
    await reader.settings.load();
    await reader.navigation.openWindow({ view: 'story', publicId: 'story-1' });
    expect(wire.calls.at(-1)).toEqual({
      method: 'app.openWindow',
      args: { target: { view: 'story', publicId: 'story-1' } },
    });
  });

  it('is asked of the browser where the host cannot, and cannot reach back', async () => {
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    await reader.navigation.openWindow({ view: 'edition', kind: 'daily', label: '2026-11-20' });
    const [address, , features] = open.mock.calls[0]!;
    expect(address).toBe('/#window=broadsheet%3A%2F%2Fdaily%2F2026-11-20');
    expect(features).toContain('noopener');
  });

  it('reads no lists', async () => {
    wire.calls.length = 0;
    const own = new Reader(wire, true);
    await own.load();
    expect(wire.calls.map(({ method }) => method).filter((method) => /page|list|index/.test(method))).toEqual([]);
    expect(own.layout.panes).toBe('one');
  });
});
