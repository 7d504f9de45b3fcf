import type { Attachment } from 'svelte/attachments';
import { SvelteSet } from 'svelte/reactivity';
import { isVisible } from './read-through.ts';

/**
 * Stories that count as read while their headline is in view keep the look of unread ones until it has left, or all
 * are read: nothing changes under the reader's eyes.
 */
export class KeptLooks {
  readonly #keys = new Map<Element, string>();
  readonly #inView = new Set<Element>();
  readonly #kept = new SvelteSet<string>();
  /** The same for a story whenever it is drawn again. */
  readonly #entries = new Map<string, Attachment<HTMLElement>>();
  #observer: IntersectionObserver | null = null;

  has(key: string | null): boolean {
    return key !== null && this.#kept.has(key);
  }

  keep(keys: readonly string[]): void {
    for (const key of keys) if (this.#isInView(key)) this.#kept.add(key);
  }

  drop(keys: readonly string[]): void {
    for (const key of keys) this.#kept.delete(key);
  }

  clear(): void {
    this.#kept.clear();
  }

  entry(key: string | null): Attachment<HTMLElement> | undefined {
    if (key === null) return undefined;
    const entry = this.#entries.get(key) ?? this.#entryOf(key);
    this.#entries.set(key, entry);
    return entry;
  }

  #entryOf(key: string): Attachment<HTMLElement> {
    return (entry) => {
      const headline = entry.querySelector('.title') ?? entry;
      this.#observer ??= new IntersectionObserver((sights) => this.#look(sights));
      this.#keys.set(headline, key);
      this.#observer.observe(headline);
      return () => {
        this.#observer?.unobserve(headline);
        this.#inView.delete(headline);
        this.#keys.delete(headline);
      };
    };
  }

  #look(sights: readonly IntersectionObserverEntry[]): void {
    for (const { target, isIntersecting } of sights) {
      if (isIntersecting) this.#inView.add(target);
      else this.#inView.delete(target);
    }
    this.drop([...this.#kept].filter((key) => !this.#isInView(key)));
  }

  #isInView(key: string): boolean {
    return [...this.#inView].some((headline) => this.#keys.get(headline) === key && isVisible(headline));
  }
}
