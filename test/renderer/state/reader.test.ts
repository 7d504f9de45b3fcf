import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Reader } from '../../../src-renderer/state/reader.svelte.ts';
import { madeUpRow } from '../support/made-up-items.ts';
import { MemoryWire } from '../support/memory-wire.ts';
import { settle } from '../support/settle.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');

let wire: MemoryWire;
let reader: Reader;

beforeEach(async () => {
  const rows = Array.from({ length: 10 }, (_, n) =>
    madeUpRow(n, NOW, { inSelectedSet: true, state: { readAt: null, starredAt: null } }),
  );
  wire = new MemoryWire(rows);
  reader = new Reader(wire);
  await reader.load();
});

describe('a refresh', () => {
  it('says from when on there is something to ask, where the cache rules permit nothing yet', async () => {
    const notDue = { status: 'notDue', requests: 0, added: 0, revised: 0, withdrawn: 0, skipped: 0 } as const;
    const soon = new Date(Date.now() + 40_000).toISOString();
    const later = new Date(Date.now() + 300_000).toISOString();
    vi.spyOn(wire, 'call').mockResolvedValueOnce({
      ok: true,
      value: { resources: { items: { ...notDue, permittedAt: later }, selected: { ...notDue, permittedAt: soon } } },
    } as never);
    await reader.sync.refresh();
    expect(reader.notes.note?.text).toMatch(/in (39|40) s\./);
  });

  it('says nothing where something was asked', async () => {
    await reader.sync.refresh();
    expect(reader.notes.note).toBeNull();
  });
});

describe('reading', () => {
  it('marks an item read when it is opened', async () => {
    reader.open(reader.list.rows[2]!);
    expect(reader.reading.item?.state.readAt).not.toBeNull();
    await settle();
    expect(wire.rows[2]?.state.readAt).not.toBeNull();
    expect(reader.counts.counts?.selected.unread).toBe(9);
  });

  it('steps through the list, and stops at its ends', () => {
    reader.step(1);
    expect(reader.reading.item?.id).toBe('item-0');
    reader.step(1);
    reader.step(-1);
    reader.step(-1);
    expect(reader.reading.item?.id).toBe('item-0');
  });

  it('goes on from its place when the open item has left the list', async () => {
    reader.open(reader.list.rows[4]!);
    await settle();
    wire.withdraw('item-4');
    await reader.list.load();
    reader.step(1);
    expect(reader.reading.item?.id).toBe('item-5');
  });

  it('keeps the open item when it is withdrawn, and says so', async () => {
    reader.open(reader.list.rows[4]!);
    wire.withdraw('item-4');
    await settle();
    expect(reader.reading.item?.id).toBe('item-4');
    expect(reader.reading.withdrawn).toBe(true);
  });

  it('shows a revision of the open item in place', async () => {
    reader.open(reader.list.rows[4]!);
    wire.revise('item-4', { title: 'Put right' });
    await settle();
    expect(reader.reading.item?.title).toBe('Put right');
  });

  it('goes back to what was stored when a mark could not be kept', async () => {
    wire.failing.set('items.mark', { code: 'disk_full', message: '', retryable: true });
    reader.open(reader.list.rows[0]!);
    await settle();
    expect(reader.list.rows[0]?.state.readAt).toBeNull();
    expect(reader.notes.note?.tone).toBe('problem');
  });

  it('stars and takes the star away again', async () => {
    reader.step(1);
    reader.toggleStar();
    await settle();
    expect(wire.rows[0]?.state.starredAt).not.toBeNull();
    reader.toggleStar();
    await settle();
    expect(wire.rows[0]?.state.starredAt).toBeNull();
  });
});

describe('mark all read', () => {
  it('offers to take it back, and does', async () => {
    await reader.markAllRead();
    expect(reader.notes.note?.text).toBe('10 items marked as read');
    reader.notes.note?.action?.run();
    await settle();
    expect(wire.rows.every((row) => row.state.readAt === null)).toBe(true);
    expect(reader.notes.note?.text).toBe('10 items marked as unread');
  });

  it('says when there was nothing to mark', async () => {
    await reader.markAllRead();
    await reader.markAllRead();
    expect(reader.notes.note?.action).toBeUndefined();
  });
});

describe('links', () => {
  it('are opened by the host where it can', () => {
    reader.openLink('https://news.example/x');
    expect(wire.calls.at(-1)).toEqual({ method: 'links.open', args: { url: 'https://news.example/x' } });
  });

  it('are opened by the page where the host cannot, without a way back to it', async () => {
    wire.capabilities.opensLinks = false;
    await reader.settings.load();
    const open = vi.spyOn(window, 'open').mockReturnValue(null);
    reader.openLink('https://news.example/x');
    expect(open).toHaveBeenCalledWith('https://news.example/x', '_blank', 'noopener,noreferrer');
    open.mockRestore();
  });

  it('are refused when they are no web links', () => {
    reader.openLink('javascript:alert(1)');
    expect(wire.calls.some(({ method }) => method === 'links.open')).toBe(false);
    expect(reader.notes.note?.tone).toBe('problem');
  });
});

describe('the first copy', () => {
  it('is followed by the list when it is complete', async () => {
    wire.setStatus({ selectedComplete: false });
    wire.rows = [madeUpRow(0, NOW, { id: 'late', inSelectedSet: true }), ...wire.rows];
    wire.setStatus({ selectedComplete: true });
    await settle();
    expect(reader.list.rows[0]?.id).toBe('late');
  });
});

describe('another service', () => {
  it('brings its own list, and nothing of the old one stays open', async () => {
    reader.open(reader.list.rows[0]!);
    await settle();
    wire.rows = [madeUpRow(0, NOW, { id: 'theirs', inSelectedSet: true })];
    wire.setStatus({ source: { address: 'https://other.example', demo: false, from: 'settings' } });
    await settle();
    expect(reader.list.rows.map((row) => row.id)).toEqual(['theirs']);
    expect(reader.reading.item).toBeNull();
  });
});

describe('settings', () => {
  it('are in force at once, and go back when they could not be kept', async () => {
    await reader.settings.set({ theme: 'dark' });
    expect(document.documentElement.dataset['theme']).toBe('dark');
    wire.failing.set('settings.set', { code: 'data_read_only', message: '', retryable: false });
    const failure = await reader.settings.set({ theme: 'light' });
    expect(failure?.code).toBe('data_read_only');
    expect(document.documentElement.dataset['theme']).toBe('dark');
  });

  it('change the language of the page', async () => {
    await reader.settings.set({ language: 'zh-CN' });
    expect(document.documentElement.lang).toBe('zh-CN');
    await reader.settings.set({ language: 'en' });
  });
});
