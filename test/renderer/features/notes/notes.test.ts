import { fireEvent, screen, within } from '@testing-library/svelte';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { m } from '../../../../src-main/common/i18n/messages.ts';
import type { Failure } from '../../../../src-main/contract/errors.ts';
import type { NoteKey } from '../../../../src-main/contract/model/note.ts';
import { LiveAnswers } from '../../../../src-renderer/api/live.ts';
import { actOf } from '../../../../src-renderer/app/act.ts';
import { UndoStack } from '../../../../src-renderer/app/undo.svelte.ts';
import { NotesState } from '../../../../src-renderer/features/notes/index.ts';
import type { NoteEditor } from '../../../../src-renderer/features/notes/note-editor.svelte.ts';
import { NOW, openCore, type CoreWire } from '../../support/core.ts';
import { madeUpRow } from '../../support/made-up-items.ts';
import { openPage } from '../../support/page.ts';
import { clickOn, keyDown } from '../../support/reader.ts';
import { settle } from '../../support/settle.ts';
import { waitFor } from '../../support/wait.ts';

const ITEM: NoteKey = { kind: 'item', id: 'item-0' };
const LOST: Failure = { code: 'unreachable', message: 'Not there.', retryable: true };
const MINUTE = 60_000;

const drafts = (): string[] =>
  Object.keys(localStorage)
    .filter((name) => name.startsWith('broadsheet.note '))
    .map((name) => (JSON.parse(localStorage.getItem(name) ?? '') as { text: string }).text);

let wire: CoreWire;

const write = (text: string, key = ITEM) => wire.ask('notes.set', { ...key, text });
const saved = async (key = ITEM): Promise<string | undefined> => (await wire.ask('notes.get', key)).note?.text;
const saves = (): unknown[] => wire.argsOf('notes.set').map(({ text }) => text);

beforeEach(async () => {
  localStorage.clear();
  wire = await openCore({ items: [madeUpRow(0, NOW), madeUpRow(1, NOW)] });
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

  it('is saved after a pause, once', async () => {
    const editor = await open(new NotesState(ports()));
    vi.useRealTimers();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    editor.edit('On');
    vi.advanceTimersByTime(300);
    editor.edit('One ');
    vi.advanceTimersByTime(300);
    expect([drafts(), saves()]).toEqual([['One '], []]);
    vi.advanceTimersByTime(100);
    vi.useRealTimers();
    await settle();
    expect([await saved(), saves()]).toEqual(['One', ['One ']]);
    // The space is not saved, and not taken away from the next word.
    expect([editor.text, drafts()]).toEqual(['One ', []]);
  });

  it('is saved when the window is hidden or closed', async () => {
    const notes = new NotesState(ports());
    onTestFinished(notes.listen());
    const editor = await open(notes);
    editor.edit('Last words');
    window.dispatchEvent(new Event('pagehide'));
    await settle();
    expect(await saved()).toBe('Last words');
  });

  it('is kept while the host does not answer, and saved by the next window', async () => {
    wire.failing.set('notes.set', LOST);
    const notes = new NotesState(ports());
    const editor = await open(notes);
    // The core's note is older than the typed text.
    await write('Older');
    wire.pass(MINUTE);
    editor.edit('Kept');
    await editor.save();
    expect([editor.saved, editor.failure?.code, drafts()]).toEqual([false, 'unreachable', ['Kept']]);
    wire.failing.delete('notes.set');
    await new NotesState(ports()).start();
    expect([await saved(), drafts()]).toEqual(['Kept', []]);
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
    expect([editor.saved, await saved(), drafts()]).toEqual([true, 'Later', []]);
  });

  it('takes over what was typed while a save was under way', async () => {
    const editor = await open(new NotesState(ports()));
    const answer = wire.hold('notes.set');
    editor.edit('One');
    const saving = editor.save();
    editor.edit('One two');
    answer();
    await saving;
    expect([editor.saved, await saved(), drafts()]).toEqual([true, 'One two', []]);
  });

  it('is newer as a draft than the save that was under way when it was typed', async () => {
    const editor = await open(new NotesState(ports()));
    const answer = wire.hold('notes.set');
    editor.edit('One');
    const saving = editor.save();
    editor.edit('One two');
    wire.pass(MINUTE);
    wire.on('notes.changed', () => wire.failing.set('notes.set', LOST));
    answer();
    await saving;
    expect(drafts()).toEqual(['One two']);
    expect(localStorage.getItem('broadsheet.note item item-0')).toContain(new Date(NOW + MINUTE).toISOString());
  });

  it('follows another window, unless something was typed here', async () => {
    const editor = await open(new NotesState(ports()));
    await write('Elsewhere');
    await settle();
    expect(editor.text).toBe('Elsewhere');
    editor.edit('Here');
    await write('Elsewhere again');
    await settle();
    expect(editor.text).toBe('Here');
    await editor.save();
    expect(await saved()).toBe('Here');
  });

  it('keeps what was typed before it was there', async () => {
    await write('Before');
    const { editor } = new NotesState(ports()).show(ITEM);
    editor.edit('Early');
    await settle();
    await editor.save();
    expect([editor.text, await saved()]).toEqual(['Before\nEarly', 'Before\nEarly']);
  });

  it('is not saved over one that was changed after it was typed, which is said', async () => {
    const said: string[] = [];
    const key = 'broadsheet.note item item-0';
    const { service } = await wire.ask('notes.get', ITEM);
    const draft = { ...ITEM, text: 'Typed before', service, at: new Date(NOW - MINUTE).toISOString() };
    await write('Changed later');
    localStorage.setItem(key, JSON.stringify(draft));
    await new NotesState({ ...ports(), toasts: { show: (text) => said.push(text) } }).start();
    expect([await saved(), drafts(), said]).toEqual(['Changed later', [], [m.note_draft_older()]]);
    localStorage.setItem(key, JSON.stringify(draft));
    const editor = await open(new NotesState(ports()));
    expect([editor.text, await saved()]).toEqual(['Changed later', 'Changed later']);
    localStorage.setItem(key, JSON.stringify({ ...draft, at: new Date(NOW + MINUTE).toISOString() }));
    await new NotesState(ports()).start();
    expect(await saved()).toBe('Typed before');
  });

  it('is cut at its longest', async () => {
    const editor = await open(new NotesState(ports()));
    editor.edit('x'.repeat(20_001));
    await editor.save();
    expect(await saved()).toHaveLength(20_000);
  });
});

describe('notes on the page', () => {
  const field = (): HTMLTextAreaElement => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });

  it('are written with e, shown as text, marked in the row, kept while their item changes, and left with Esc', async () => {
    const { app } = await openPage(wire);
    app.navigation.show({ kind: 'everything' });
    await settle();
    await fireEvent.keyDown(document.body, { key: 'j' });
    // Before the whole item is read.
    await keyDown(document.body, { key: 'e' });
    expect(document.activeElement).toBe(field());
    const text = field().closest('.scroller')!;
    text.scrollTop = 300;
    await app.items.mark(app.reading.item!, 'star');
    await settle();
    expect(app.reading.item?.state.starredAt).not.toBeNull();
    expect([document.activeElement, text.scrollTop]).toEqual([field(), 300]);

    await fireEvent.input(field(), { target: { value: '<b>Mine</b>' } });
    app.notes.saveAll();
    await settle();
    expect(field().value).toBe('<b>Mine</b>');
    expect(screen.queryAllByText('Saved', { ignore: 'bdi' })).toHaveLength(1);
    expect(screen.getByRole('option', { name: /Has a note$/ }).id).toBe('item-item-0');
    await fireEvent.keyDown(field(), { key: 'Escape' });
    expect(document.activeElement).toBe(text);
  });

  it('are removed and brought back, by their own toast whatever was done since, but not over a newer one', async () => {
    await write('Mine');
    const { app } = await openPage(wire);
    await app.navigation.showItem('item-0');
    await settle();
    const click = async (name: string): Promise<void> => {
      await clickOn(screen.getByRole('button', { name }));
    };
    await click('Remove note');
    expect(await saved()).toBeUndefined();
    expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
    await app.actions.takeBack();
    await settle();
    expect(field().value).toBe('Mine');

    await click('Remove note');
    app.actions.toggleStar();
    await settle();
    await click('Undo');
    expect(await saved()).toBe('Mine');
    expect((await wire.stateOf('item-0')).starredAt).not.toBeNull();
    const { service } = await wire.ask('notes.get', ITEM);
    expect(wire.argsOf('notes.set').at(-1)).toMatchObject({ service });

    await click('Remove note');
    await write('Newer');
    await app.actions.takeBack();
    await settle();
    expect(await saved()).toBe('Newer');
    expect(screen.queryAllByText(m.note_newer())).toHaveLength(1);
  });

  const openList = async () => {
    const { app } = await openPage(wire);
    await fireEvent.keyDown(document.body, { key: 'g' });
    await fireEvent.keyDown(document.body, { key: 'n' });
    const list = await waitFor(() => screen.getByRole('listbox', { name: 'Your notes' }));
    await settle();
    const page = within(document.getElementById('notes-reading') ?? document.body);
    return { app, list, page, note: () => page.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' }).value };
  };

  it('have a view that lists them, newest first, beside what they are about', async () => {
    await write('A day', { kind: 'report', id: 'daily/2026-03-18' });
    wire.pass(MINUTE);
    await write('An item', { kind: 'item', id: 'item-1' });
    wire.pass(MINUTE);
    const { app, list, page, note } = await openList();
    const rows = (): string[] =>
      within(list)
        .getAllByRole('option')
        .map((row) => /An item|A day|Another/.exec(row.textContent)?.[0] ?? '');
    expect(rows()).toEqual(['An item', 'A day']);
    await write('Another');
    await settle();
    expect(rows()).toEqual(['Another', 'An item', 'A day']);
    expect(document.activeElement).toBe(list);
    // The first opened by itself, which marked nothing, and stays open.
    expect([note(), (await wire.stateOf('item-1')).readAt]).toEqual(['An item', null]);
    await keyDown(list, { key: 'j' });
    expect([note(), app.reading.itemIn('notes')?.id]).toEqual(['Another', 'item-0']);
    await keyDown(list, { key: 'j' });
    expect([note(), app.reading.itemIn('notes')?.id]).toEqual(['An item', 'item-1']);
    expect((await wire.stateOf('item-1')).readAt).not.toBeNull();
    await keyDown(list, { key: 'j' });
    expect([note(), app.views.current]).toEqual(['A day', 'notes']);
    expect(page.queryAllByRole('button', { name: 'Open the report' })).toHaveLength(1);
  });

  it('keep the title and the link of a withdrawn item, and can be changed without what they are about', async () => {
    await write('About nothing', { kind: 'item', id: 'gone' });
    wire.pass(MINUTE);
    await write('Mine', { kind: 'item', id: 'item-1' });
    await wire.withdraw('item-1');
    const { app, list, page, note } = await openList();
    const { title = '', links } = wire.rows[1] ?? {};
    expect(page.queryAllByRole('heading', { name: title })).toHaveLength(1);
    await fireEvent.click(page.getByRole('link', { name: m.article_open_original() }));
    expect(wire.argsOf('links.open')).toEqual([{ url: links?.original }]);
    await keyDown(list, { key: 'End' });
    expect(note()).toBe('About nothing');
    expect(page.queryAllByText(m.note_subject_gone())).toHaveLength(1);
    await fireEvent.input(page.getByRole('textbox', { name: 'Note' }), { target: { value: 'Changed' } });
    app.notes.saveAll();
    await settle();
    expect(await saved({ kind: 'item', id: 'gone' })).toBe('Changed');
  });
});
