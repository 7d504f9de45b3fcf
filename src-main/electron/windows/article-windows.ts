import { BroadsheetError } from '../../contract/errors.ts';
import { windowFragment, type WindowTarget } from '../../contract/targets.ts';
import type { StoredFile } from '../../core/files/json-file.ts';
import { placeBeside, placeWindow, type Placement } from './bounds.ts';
import { bringToFront, openPageWindow, rememberedOf, workAreas, type OpenWindow } from './page-window.ts';

/** Windows of their own, for a story or a report each. */
export class ArticleWindows {
  readonly #bounds: StoredFile;
  /** By the fragment of their address; the latest one last. */
  readonly #windows = new Map<string, { window: OpenWindow; view: WindowTarget['view'] }>();

  constructor(bounds: StoredFile) {
    this.#bounds = bounds;
  }

  /** Opens a window, or brings the one of this target to the front. Errors: `invalid_argument` for an id that no link holds. */
  async open(target: WindowTarget): Promise<void> {
    const fragment = windowFragment(target);
    if (fragment === null) throw new BroadsheetError('invalid_argument', 'This cannot have a window of its own.');
    const there = this.#windows.get(fragment);
    if (there) bringToFront(there.window);
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
    return placeWindow(rememberedOf(view, this.#bounds), workAreas(), 'reader');
  }
}
