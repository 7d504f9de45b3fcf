import type { AppCommand } from '../../contract/events.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
import { placeWindow, placeBeside, type Placement } from './bounds.ts';
import { sendCommand, bringToFront, openPageWindow, savedBounds, workAreas, type OpenWindow } from './page-window.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { windowFragment, type WindowTarget } from '../../contract/targets.ts';

interface MainWindowPorts {
  bounds: StoredFile;
  hidesOnClose(): boolean;
}

export class MainWindow {
  readonly #ports: MainWindowPorts;
  #window: OpenWindow | null = null;

  constructor(ports: MainWindowPorts) {
    this.#ports = ports;
  }

  get window(): OpenWindow | null {
    return this.#window;
  }

  show(): void {
    if (this.#window) bringToFront(this.#window);
    else this.#window = this.#open();
  }

  sendCommand(command: AppCommand): void {
    this.show();
    if (this.#window) sendCommand(this.#window, command);
  }

  #open(): OpenWindow {
    const { bounds, hidesOnClose } = this.#ports;
    const placement = placeWindow(savedBounds('main', bounds), workAreas());
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

export class ArticleWindows {
  readonly #bounds: StoredFile;
  /** By the fragment of their address, latest last. */
  readonly #windows = new Map<string, { window: OpenWindow; view: WindowTarget['view'] }>();

  constructor(bounds: StoredFile) {
    this.#bounds = bounds;
  }

  /** Errors: `invalid_argument` for an invalid id. */
  async open(target: WindowTarget): Promise<void> {
    const fragment = windowFragment(target);
    if (fragment === null) throw new BroadsheetError('invalid_argument', 'This cannot be opened in a separate window.');
    const existing = this.#windows.get(fragment);
    if (existing) bringToFront(existing.window);
    else this.#open(target, fragment);
  }

  #open({ view }: WindowTarget, fragment: string): void {
    const placement = this.#placeOf(view);
    const window = openPageWindow({ placement, kind: view, bounds: this.#bounds, fragment });
    this.#windows.set(fragment, { window, view });
    window.on('closed', () => this.#windows.delete(fragment));
  }

  #placeOf(view: WindowTarget['view']): Placement {
    const latest = [...this.#windows.values()].findLast((one) => one.view === view);
    if (latest) return placeBeside(latest.window.getNormalBounds(), workAreas());
    return placeWindow(savedBounds(view, this.#bounds), workAreas(), 'article');
  }
}
