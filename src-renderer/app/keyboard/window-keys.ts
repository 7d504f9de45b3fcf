import { m } from '../../../src-main/common/i18n/messages.ts';
import { commandFor, historyStep, opensPalette, type Command } from '../../features/settings/index.ts';
import { closeDialogs, dialogsNow } from '../../ui/open-dialogs.ts';
import type { AppState } from '../app-state.svelte.ts';
import type { Keyboard } from './keyboard.svelte.ts';

/** Handles the keys of a window with lists, unless a control or a dialog handles them. */
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
   * Handles the keys of the palette and of the history. They also work in text fields and dialogs, so this runs before
   * those.
   */
  capture(event: KeyboardEvent): void {
    const isPalette = opensPalette(event);
    const by = isPalette ? null : historyStep(event);
    if (!isPalette && by === null) return;
    event.preventDefault();
    event.stopPropagation();
    if (by !== null) this.walk(by);
    else if (this.#app.paletteOpen) this.#app.paletteOpen = false;
    else this.#app.openPalette();
  }

  keydown(event: KeyboardEvent): void {
    const { focus, settings, views } = this.#app;
    const { sequence, goCommands } = this.#keyboard;
    // An open dialog handles the keyboard itself, Esc included.
    if (dialogsNow() === 'open') return sequence.stop();
    const go = sequence.take(event, settings.current);
    if (go !== null) {
      event.preventDefault();
      if (go !== 'taken') goCommands[go]();
      return;
    }
    const command = commandFor(event, settings.current);
    if (command === null) return;
    if (command !== 'escape') event.preventDefault();
    // Sources have a filter of their own; the search covers everything else.
    if (command === 'search' && views.current === 'sources' && focus.focus('sources', 'filter')) return;
    this.#commands[command]();
  }

  /** Moves through the history of locations. Closes an open dialog first, as Esc does. */
  walk(by: 1 | -1): void {
    const { announcer, history, panel } = this.#app;
    if (dialogsNow() === 'open' || panel !== null) {
      if (by === 1) return;
      closeDialogs();
      this.#app.panel = null;
    } else if (!history.step(by)) announcer.say(by === 1 ? m.keys_places_end() : m.keys_places_start());
  }
}
