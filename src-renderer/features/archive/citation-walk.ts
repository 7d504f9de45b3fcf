import type { Attachment } from 'svelte/attachments';
import type { CitationWithStatus } from '../../../src-main/contract/model/report.ts';

/** A story of the open report as a stop of the keyboard. */
export interface CitationStop {
  citation: CitationWithStatus;
  /** Opens its link, which marks it as read. */
  open: () => void;
}

/**
 * Moves the focus through the stories of the open report. They register themselves, and are visited in the order of the
 * page; the end of the report can be one more stop.
 */
export class CitationWalk {
  readonly #stops = new Map<HTMLElement, CitationStop | null>();

  stop(stop: CitationStop): Attachment<HTMLElement> {
    return this.#register(stop);
  }

  /** The last stop, below the stories. */
  readonly end: Attachment<HTMLElement> = (element) => this.#register(null)(element);

  /** The story that has the focus; null for none. */
  get current(): CitationStop | null {
    const element = this.#focused;
    return element === undefined ? null : (this.#stops.get(element) ?? null);
  }

  /** Focuses the next (1) or previous (-1) stop. Returns false if there was none. */
  step(by: 1 | -1): boolean {
    const elements = [...this.#stops.keys()].sort((a, b) =>
      (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0 ? -1 : 1,
    );
    const from = this.#from(elements, by);
    const ahead = by === 1 ? elements.slice(from) : elements.slice(0, Math.max(0, from + 1)).reverse();
    const [target] = ahead;
    if (!target) return false;
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: 'nearest' });
    return true;
  }

  #register(stop: CitationStop | null): Attachment<HTMLElement> {
    return (element) => {
      this.#stops.set(element, stop);
      return () => {
        if (this.#stops.get(element) === stop) this.#stops.delete(element);
      };
    };
  }

  get #focused(): HTMLElement | undefined {
    const focused = document.activeElement;
    return [...this.#stops.keys()].find((element) => element.contains(focused));
  }

  /** Returns the next stop: beside the focused story if that is visible, else the first visible one. */
  #from(elements: readonly HTMLElement[], by: 1 | -1): number {
    const focused = this.#focused;
    const at = focused === undefined ? -1 : elements.indexOf(focused);
    if (focused !== undefined && isInSight(focused)) return at + by;
    const first = elements.findIndex(isInSight);
    if (first < 0) return at < 0 ? 0 : at + by;
    return by === 1 ? first : first - 1;
  }
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const scroller = element.closest('.scroller')?.getBoundingClientRect();
  return scroller === undefined || (bottom >= scroller.top && top <= scroller.bottom);
}
