import type { Attachment } from 'svelte/attachments';

/** In ms. A story is read when its end was in view for this long, or was scrolled past. */
const SEEN_MS = 1_000;

/**
 * Finds the stories that the reader has read through, by wheel, touch or keys. A story that was jumped over was never in
 * view. Each counts once, so that one that is marked as unread stays so.
 */
export class ReadThrough {
  readonly #onread: (keys: readonly string[]) => void;
  readonly #isReading: () => boolean;
  readonly #keys = new Map<Element, string>();
  /** The same for a story whenever it is drawn again, so that what was in view stays known. */
  readonly #ends = new Map<string, Attachment<HTMLElement>>();
  /** The ends that are in view. */
  readonly #waiting = new Map<Element, ReturnType<typeof setTimeout>>();
  readonly #counted = new Set<string>();
  #observer: IntersectionObserver | null = null;

  /** @param isReading false while what is in view was not opened by the reader */
  constructor(onread: (keys: readonly string[]) => void, isReading: () => boolean = () => true) {
    this.#onread = onread;
    this.#isReading = isReading;
  }

  /** Counts what is in view from now on. */
  start(): void {
    for (const [element, timer] of this.#waiting) {
      clearTimeout(timer);
      this.#wait(element);
    }
  }

  /** Attach to the last line of a story. */
  end(key: string | null): Attachment<HTMLElement> | undefined {
    if (key === null) return undefined;
    const end = this.#ends.get(key) ?? this.#endOf(key);
    this.#ends.set(key, end);
    return end;
  }

  #endOf(key: string): Attachment<HTMLElement> {
    return (element) => {
      // A little less than all of it: sizes are rounded.
      this.#observer ??= new IntersectionObserver((entries) => this.#look(entries), {
        root: element.closest('.scroller'),
        threshold: 0.9,
      });
      this.#keys.set(element, key);
      this.#observer.observe(element);
      return () => {
        this.#observer?.unobserve(element);
        this.#stopWaiting(element);
        this.#keys.delete(element);
      };
    };
  }

  #look(entries: readonly IntersectionObserverEntry[]): void {
    const passed: Element[] = [];
    for (const { target, intersectionRatio, boundingClientRect, rootBounds } of entries) {
      const wasInView = this.#stopWaiting(target);
      if (intersectionRatio >= 0.9) {
        this.#wait(target);
      } else if (wasInView && rootBounds && boundingClientRect.top < rootBounds.top) passed.push(target);
    }
    this.#count(passed);
  }

  #wait(element: Element): void {
    this.#waiting.set(
      element,
      setTimeout(() => this.#count([element].filter(isVisible)), SEEN_MS),
    );
  }

  #stopWaiting(element: Element): boolean {
    clearTimeout(this.#waiting.get(element));
    return this.#waiting.delete(element);
  }

  #count(elements: readonly Element[]): void {
    if (!this.#isReading()) return;
    const keys = elements.flatMap((element) => this.#keys.get(element) ?? []).filter((key) => !this.#counted.has(key));
    for (const key of keys) this.#counted.add(key);
    if (keys.length > 0) this.#onread(keys);
  }
}

/** False while another view or window hides it. */
function isVisible(element: Element): boolean {
  return document.visibilityState === 'visible' && element.checkVisibility({ visibilityProperty: true });
}
