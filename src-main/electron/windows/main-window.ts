import type { AppCommand } from '../../contract/events.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
import { placeWindow } from './bounds.ts';
import { sendCommand, bringToFront, openPageWindow, rememberedOf, workAreas, type OpenWindow } from './page-window.ts';

interface MainWindowPorts {
  bounds: StoredFile;
  /** Whether closing only hides the window. */
  hidesOnClose(): boolean;
}

/** The main window. It does not exist before it is first shown and after it is closed. */
export class MainWindow {
  readonly #ports: MainWindowPorts;
  #window: OpenWindow | null = null;

  constructor(ports: MainWindowPorts) {
    this.#ports = ports;
  }

  get window(): OpenWindow | null {
    return this.#window;
  }

  /** Brings the window to the front, and opens it if necessary. */
  show(): void {
    if (this.#window) bringToFront(this.#window);
    else this.#window = this.#open();
  }

  /** Shows the window and sends a command to its page. */
  sendCommand(command: AppCommand): void {
    this.show();
    if (this.#window) sendCommand(this.#window, command);
  }

  #open(): OpenWindow {
    const { bounds, hidesOnClose } = this.#ports;
    const placement = placeWindow(rememberedOf('main', bounds), workAreas());
    const window = openPageWindow({ placement, kind: 'main', bounds });
    window.on('close', (event) => {
      if (!hidesOnClose()) return;
      event.preventDefault();
      window.hide();
    });
    window.on('closed', () => (this.#window = null));
    return window;
  }
}
