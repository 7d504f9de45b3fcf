/** The stories that were opened one from another, the last of them on the page. */
export class StoryBackStack {
  #ids = $state.raw<readonly string[]>([]);

  /** The id that was opened. The story's own id differs if it was merged into another. */
  get id(): string | null {
    return this.#ids.at(-1) ?? null;
  }
  /** The last one is on the page. */
  get ids(): readonly string[] {
    return this.#ids;
  }
  get depth(): number {
    return this.#ids.length;
  }

  /** Opens a story as the first of a new back stack. */
  open(publicId: string): void {
    this.#ids = [publicId];
  }

  /** Opens a story that the shown one names; `back` returns. */
  follow(publicId: string): void {
    this.#ids = [...this.#ids, publicId];
  }

  back(): void {
    this.#ids = this.#ids.slice(0, -1);
  }

  /** Shows a stack again; an empty one closes it. */
  show(ids: readonly string[]): void {
    this.#ids = ids;
  }

  close(): void {
    this.#ids = [];
  }
}
