import { BroadsheetError } from '../../contract/errors.ts';
import { windowFragment, type WindowTarget } from '../../contract/targets.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
import { placeBeside, placeWindow, type Placement } from './bounds.ts';
import { bringToFront, openPageWindow, rememberedOf, workAreas, type OpenWindow } from './page-window.ts';

/** Separate windows, each with a story or a report. */
export class ArticleWindows {
  readonly #bounds: StoredFile;
  /** By the fragment of their address, latest last. */
  readonly #windows = new Map<string, { window: OpenWindow; view: WindowTarget['view'] }>();

  constructor(bounds: StoredFile) {
    this.#bounds = bounds;
  }

  /** Opens a window, or brings the existing one to the front. Errors: `invalid_argument` for an invalid id. */
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
    return placeWindow(rememberedOf(view, this.#bounds), workAreas(), 'article');
  }
}
