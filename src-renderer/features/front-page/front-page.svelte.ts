/** Remembers that the reader went to the front page: with one pane it then covers the list. */
export class FrontPageState {
  #chosen = $state(false);

  get chosen(): boolean {
    return this.#chosen;
  }

  choose(): void {
    this.#chosen = true;
  }

  leave(): void {
    this.#chosen = false;
  }
}
