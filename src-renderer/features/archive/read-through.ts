import type { Attachment } from 'svelte/attachments';

/** In ms. A story is read when its end was in view for this long, or was scrolled past. */
const SEEN_MS = 1_000;

/**
 * Finds the stories that the reader has read through, by wheel, touch or keys. A story that was jumped over was never in
 * view. One that is marked as unread while it is in view stays so until it has left and comes back.
 */
export class ReadThrough {
  readonly #onread: (keys: readonly string[], began: number) => void;
  readonly #isReading: () => boolean;
  readonly #keys = new Map<Element, string>();
  /** The same for a story whenever it is drawn again, so that what was in view stays known. */
  readonly #ends = new Map<string, Attachment<HTMLElement>>();
  readonly #waiting = new Map<Element, ReturnType<typeof setTimeout>>();
  /** Those in view of stories that were marked as unread there. */
  readonly #held = new Set<Element>();
  #unread: ReadonlySet<string> | null = null;
  #observer: IntersectionObserver | null = null;

  /**
   * @param onread called with stories, and when they came into view or were passed, as `performance.now`
   * @param isReading false while what is in view was not opened by the reader
   */
  constructor(onread: (keys: readonly string[], began: number) => void, isReading: () => boolean = () => true) {
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

  follow(unread: ReadonlySet<string>): void {
    for (const [element] of this.#waiting) {
      const key = this.#keys.get(element);
      if (key !== undefined && unread.has(key) && this.#unread?.has(key) === false) this.#held.add(element);
    }
    this.#unread = unread;
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
        this.#held.delete(element);
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
      } else if (!this.#held.delete(target) && wasInView && rootBounds && boundingClientRect.top < rootBounds.top) {
        passed.push(target);
      }
    }
    this.#count(passed, performance.now());
  }

  #wait(element: Element): void {
    const began = performance.now();
    const isRead = (): boolean => isVisible(element) && !this.#held.has(element);
    this.#waiting.set(
      element,
      setTimeout(() => this.#count([element].filter(isRead), began), SEEN_MS),
    );
  }

  #stopWaiting(element: Element): boolean {
    clearTimeout(this.#waiting.get(element));
    return this.#waiting.delete(element);
  }

  #count(elements: readonly Element[], began: number): void {
    if (!this.#isReading()) return;
    const keys = elements.flatMap((element) => this.#keys.get(element) ?? []);
    if (keys.length > 0) this.#onread(keys, began);
  }
}

/** False while another view or window hides it. */
function isVisible(element: Element): boolean {
  return document.visibilityState === 'visible' && element.checkVisibility({ visibilityProperty: true });
}
