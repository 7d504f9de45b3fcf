import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { NoteKey } from '../../../../src-main/contract/model/note.ts';
import type { AppState } from '../../../../src-renderer/app/app-state.svelte.ts';
import { NotesState } from '../../../../src-renderer/features/notes/index.ts';
import type { NoteEditor } from '../../../../src-renderer/features/notes/note-editor.svelte.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { LiveAnswers } from '../../../../src-renderer/api/live.ts';
import { actOf } from '../../../../src-renderer/app/act.ts';
import { UndoStack } from '../../../../src-renderer/app/undo.svelte.ts';
import { MemoryWire } from '../../support/memory-wire.ts';
import { openPage } from '../../support/page.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

vi.setConfig({ testTimeout: 30_000 });

const NOW = Date.now();
const ITEM: NoteKey = { kind: 'item', id: 'item-0' };
const LOST: Failure = { code: 'unreachable', message: 'Not there.', retryable: true };

const drafts = (): string[] =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith('broadsheet.note '))
    .map((name) => (JSON.parse(localStorage.getItem(name) ?? '') as { text: string }).text);

let wire: MemoryWire;

beforeEach(() => {
  localStorage.clear();
  wire = new MemoryWire([madeUpRow(0, NOW), madeUpRow(1, NOW)]);
});

describe('a note that is being written', () => {
  const toasts = { show: (_text: string) => undefined, complain: () => undefined };
  const ports = () => ({
    wire,
    live: new LiveAnswers(wire),
    act: actOf({ announcer: { say: () => undefined }, toasts, undo: new UndoStack() }),
    toasts,
  });
  const open = async (notes: NotesState): Promise<NoteEditor> => {
    const { editor } = notes.show(ITEM);
    await settle();
    return editor;
  };
  const saved = (): string | undefined => wire.notes.notes.get('item item-0')?.text;

  it('is saved after a pause, once', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const notes = new NotesState(ports());
      const { editor } = notes.show(ITEM);
      await editor.load();
      editor.edit('On');
      vi.advanceTimersByTime(300);
      editor.edit('One ');
      expect(drafts()).toEqual(['One ']);
      vi.advanceTimersByTime(400);
      await editor.save();
      expect(saved()).toBe('One');
      // The space is not saved, and not taken away from the next word.
      expect(editor.text).toBe('One ');
      expect(drafts()).toEqual([]);
      expect(wire.calls.filter(({ method }) => method === 'notes.set')).toHaveLength(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is saved when the window is hidden or closed', async () => {
    const notes = new NotesState(ports());
    const stop = notes.listen();
    const editor = await open(notes);
    editor.edit('Last words');
    window.dispatchEvent(new Event('pagehide'));
    await settle();
    expect(saved()).toBe('Last words');
    stop();
  });

  it('is kept while the host does not answer, and saved by the next window', async () => {
    wire.failing.set('notes.set', LOST);
    const notes = new NotesState(ports());
    const editor = await open(notes);
    editor.edit('Kept');
    await editor.save();
    expect([editor.saved, editor.failure?.code, drafts()]).toEqual([false, 'unreachable', ['Kept']]);
    // The core's note is older than the typed text.
    wire.notes.write(ITEM, 'Older');
    wire.failing.delete('notes.set');
    await new NotesState(ports()).start();
    expect([saved(), drafts()]).toEqual(['Kept', []]);
  });

  it('is saved as soon as the engine runs again', async () => {
    wire.failing.set('notes.set', LOST);
    const notes = new NotesState(ports());
    const editor = await open(notes);
    editor.edit('Later');
    await editor.save();
    wire.failing.delete('notes.set');
    wire.emit('engine.changed', { running: true });
    await settle();
    expect([editor.saved, saved(), drafts()]).toEqual([true, 'Later', []]);
  });

  it('takes over what was typed while a save was under way', async () => {
    const editor = await open(new NotesState(ports()));
    let answer = (): void => undefined;
    wire.gates.set('notes.set', new Promise((resolve) => (answer = resolve)));
    editor.edit('One');
    const saving = editor.save();
    editor.edit('One two');
    answer();
    await saving;
    expect([editor.saved, saved(), drafts()]).toEqual([true, 'One two', []]);
  });

  it('is newer as a draft than the save that was under way when it was typed', async () => {
    const LATER = '2026-11-20T08:00:00.000Z';
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse(LATER) - 1_000 });
    try {
      const editor = await open(new NotesState(ports()));
      let answer = (): void => undefined;
      wire.gates.set('notes.set', new Promise((resolve) => (answer = resolve)));
      editor.edit('One');
      const saving = editor.save();
      editor.edit('One two');
      vi.setSystemTime(LATER);
      wire.on('notes.changed', () => wire.failing.set('notes.set', LOST));
      answer();
      await saving;
      expect(drafts()).toEqual(['One two']);
      expect(localStorage.getItem('broadsheet.note item item-0')).toContain(LATER);
    } finally {
      vi.useRealTimers();
    }
  });

  it('follows another window, unless something was typed here', async () => {
    const notes = new NotesState(ports());
    const editor = await open(notes);
    wire.notes.write(ITEM, 'Elsewhere');
    await settle();
    expect(editor.text).toBe('Elsewhere');
    editor.edit('Here');
    wire.notes.write(ITEM, 'Elsewhere again');
    await settle();
    expect(editor.text).toBe('Here');
    await editor.save();
    expect(saved()).toBe('Here');
  });

  it('keeps what was typed before it was there', async () => {
    wire.notes.write(ITEM, 'Before');
    const { editor } = new NotesState(ports()).show(ITEM);
    editor.edit('Early');
    await settle();
    await editor.save();
    expect([editor.text, saved()]).toEqual(['Before\nEarly', 'Before\nEarly']);
  });

  it('is not saved over one that was changed after it was typed, which is said', async () => {
    const said: string[] = [];
    const key = 'broadsheet.note item item-0';
    const draft = { ...ITEM, text: 'Typed before', service: 'demo', at: '2026-03-17T00:00:00.000Z' };
    wire.notes.write(ITEM, 'Changed later');
    localStorage.setItem(key, JSON.stringify(draft));
    await new NotesState({
      ...ports(),
      toasts: { show: (text) => said.push(text) },
    }).start();
    expect([saved(), drafts(), said]).toEqual(['Changed later', [], [m.note_draft_older()]]);
    localStorage.setItem(key, JSON.stringify(draft));
    const editor = await open(new NotesState(ports()));
    expect([editor.text, saved()]).toEqual(['Changed later', 'Changed later']);
    localStorage.setItem(key, JSON.stringify({ ...draft, at: '2026-03-19T00:00:00.000Z' }));
    await new NotesState(ports()).start();
    expect(saved()).toBe('Typed before');
  });

  it('is cut at its longest', async () => {
    const editor = await open(new NotesState(ports()));
    editor.edit('x'.repeat(20_001));
    await editor.save();
    expect(saved()).toHaveLength(20_000);
  });
});

describe('notes on the page', () => {
  const field = (): HTMLTextAreaElement => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });

  it('are written with e, shown as text, marked in the row, and left with Esc', async () => {
    const { app } = await openPage(wire);
    await fireEvent.keyDown(document.body, { key: 'j' });
    await settle();
    await fireEvent.keyDown(document.body, { key: 'e' });
    await settle();
    expect(document.activeElement).toBe(field());
    await fireEvent.input(field(), { target: { value: '<b>Mine</b>' } });
    app.notes.saveAll();
    await settle();
    expect(field().value).toBe('<b>Mine</b>');
    expect(screen.getByText('Saved')).toBeTruthy();
    expect(screen.getByRole('option', { name: /Has a note$/ }).id).toBe('item-item-0');
    await fireEvent.keyDown(field(), { key: 'Escape' });
    expect(document.activeElement?.classList.contains('scroller')).toBe(true);
  });

  it('are removed and brought back', async () => {
    wire.notes.write(ITEM, 'Mine');
    const { app } = await openPage(wire);
    await app.navigation.showItem('item-0');
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'Remove note' }));
    await settle();
    expect(wire.notes.notes.size).toBe(0);
    expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
    await app.actions.takeBack();
    await settle();
    expect(field().value).toBe('Mine');
  });

  const remove = async (): Promise<AppState> => {
    wire.notes.write(ITEM, 'Mine');
    const { app } = await openPage(wire);
    await app.navigation.showItem('item-0');
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'Remove note' }));
    await settle();
    return app;
  };

  it('are brought back by their own toast, whatever was done since', async () => {
    const app = await remove();
    app.items.toggleStar();
    await settle();
    await fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
    await settle();
    expect(wire.notes.notes.get('item item-0')?.text).toBe('Mine');
    expect(wire.rows[0]?.state.starredAt).not.toBeNull();
    expect(wire.calls.findLast(({ method }) => method === 'notes.set')?.args).toMatchObject({ service: 'demo' });
  });

  it('are not brought back over a newer one', async () => {
    const app = await remove();
    wire.notes.write(ITEM, 'Newer');
    await app.actions.takeBack();
    await settle();
    expect(wire.notes.notes.get('item item-0')?.text).toBe('Newer');
    expect(screen.getByText(m.note_newer())).toBeTruthy();
  });

  it('have a view that lists them, newest first, and opens what they are about', async () => {
    wire.notes.titles.set('item item-1', 'The second');
    wire.notes.write({ kind: 'report', id: 'daily/2026-03-18' }, 'A day');
    wire.notes.write({ kind: 'item', id: 'item-1' }, 'An item');
    const { app } = await openPage(wire);
    await fireEvent.keyDown(document.body, { key: 'g' });
    await fireEvent.keyDown(document.body, { key: 'n' });
    const list = await waitFor(() => screen.getByRole('listbox', { name: 'Your notes' }), { timeout: 20_000 });
    const rows = (): string[] =>
      within(list)
        .getAllByRole('option')
        .map((row) => /An item|A day|Another/.exec(row.textContent)?.[0] ?? '');
    expect(rows()).toEqual(['An item', 'A day']);
    wire.notes.write({ kind: 'item', id: 'item-0' }, 'Another');
    await settle();
    expect(rows()).toEqual(['Another', 'An item', 'A day']);
    expect(document.activeElement).toBe(list);
    await fireEvent.keyDown(list, { key: 'j' });
    await fireEvent.keyDown(list, { key: 'j' });
    await fireEvent.keyDown(list, { key: 'Enter' });
    await settle();
    expect([app.views.current, app.reading.item?.id]).toEqual(['feed', 'item-1']);
  });

  it('need something to be written about', async () => {
    await openPage(wire);
    await fireEvent.keyDown(document.body, { key: 'e' });
    await settle();
    expect(screen.getByText(/to write a note/)).toBeTruthy();
  });
});
