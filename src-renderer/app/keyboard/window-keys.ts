import { m } from '../../../src-main/common/i18n/messages.ts';
import { commandFor, historyStep, opensPalette, type Command } from '../../features/settings/index.ts';
import { closeDialogs, dialogsNow } from '../../ui/open-dialogs.ts';
import { typeAhead } from '../../ui/type-ahead.ts';
import type { AppState } from '../app-state.svelte.ts';
import type { Keyboard } from './keyboard.svelte.ts';

/** What the keys of a window with lists do, unless a control or a dialog takes them. */
export class WindowKeys {
  readonly #app: AppState;
  readonly #keyboard: Keyboard;
  readonly #commands: Readonly<Record<Command, () => void>>;

  constructor(app: AppState, keyboard: Keyboard, commands: Readonly<Record<Command, () => void>>) {
    this.#app = app;
    this.#keyboard = keyboard;
    this.#commands = commands;
  }

  /**
   * Takes the keys of the palette and of the history. They work in text fields and over dialogs, too, and so come before
   * what these do with the press.
   */
  capture(event: KeyboardEvent): void {
    const isPalette = opensPalette(event);
    const by = isPalette ? null : historyStep(event);
    if (!isPalette && by === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (by !== null) this.walk(by);
    else if (this.#app.finder === 'palette') this.#app.finder = null;
    else this.#app.openPalette();
  }

  keydown(event: KeyboardEvent): void {
    const { finder, focus, panel, settings, views } = this.#app;
    const { sequence, goCommands } = this.#keyboard;
    // An open dialog handles the keyboard itself, Esc included; so will one that is being loaded.
    const dialogs = dialogsNow();
    const loading = dialogs === 'none' && (panel !== null || finder !== null);
    if (loading && finder !== null) this.#keydownAhead(event);
    if (dialogs === 'open' || loading) return sequence.stop();
    const go = sequence.take(event, settings.current);
    if (go !== null) {
      event.preventDefault();
      if (go !== 'taken') goCommands[go]();
      return;
    }
    const command = commandFor(event, settings.current);
    if (command === null) return;
    if (command !== 'escape') event.preventDefault();
    // Sources are found in their own list; the search is over everything else.
    if (command === 'search' && views.current === 'sources' && focus.focus('sources', 'filter')) return;
    this.#commands[command]();
  }

  /** Goes through the history of places. A dialog is closed first, as by Esc. */
  walk(by: 1 | -1): void {
    const { announcer, panel, places } = this.#app;
    if (dialogsNow() === 'open' || panel !== null) {
      if (by === 1) return;
      closeDialogs();
      this.#app.panel = null;
    } else if (!places?.go(by)) announcer.say(by === 1 ? m.keys_places_end() : m.keys_places_start());
  }

  /** Of the box that is being loaded: who goes on typing after its key means its text, not other commands. */
  #keydownAhead(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#app.finder = null;
    else if (typeAhead(event)) event.preventDefault();
  }
}
