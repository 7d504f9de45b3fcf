import type { AppCommand } from '../../contract/events.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
import { placeWindow } from './bounds.ts';
import { askPage, bringToFront, openPageWindow, rememberedOf, workAreas, type OpenWindow } from './page-window.ts';

interface MainWindowPorts {
  bounds: StoredFile;
  /** Asked when the window is closed: whether it only hides. */
  hides(): boolean;
  /** Windows: the user logs off, or the machine goes down. Nothing else tells the app. */
  onSessionEnd(): void;
}

/** The window that is worked in. There is none before it is shown, and after it was closed. */
export class MainWindow {
  readonly #ports: MainWindowPorts;
  #window: OpenWindow | null = null;

  constructor(ports: MainWindowPorts) {
    this.#ports = ports;
  }

  /** Null while there is none. */
  get window(): OpenWindow | null {
    return this.#window;
  }

  /** Brings it to the front; opens it where there is none. */
  show(): void {
    if (this.#window) bringToFront(this.#window);
    else this.#window = this.#open();
  }

  /** Shows it, and asks something of its page. */
  ask(command: AppCommand): void {
    this.show();
    if (this.#window) askPage(this.#window, command);
  }

  #open(): OpenWindow {
    const { bounds, hides, onSessionEnd } = this.#ports;
    const placement = placeWindow(rememberedOf('main', bounds), workAreas());
    const window = openPageWindow({ placement, kind: 'main', bounds });
    window.on('close', (event) => {
      if (!hides()) return;
      event.preventDefault();
      window.hide();
    });
    window.on('closed', () => (this.#window = null));
    window.on('session-end', onSessionEnd);
    return window;
  }
}
