import type { Properties } from '../database/properties.ts';

const NAME = 'pause';

/** The reader's pause of syncing. Times are ms since 1970; `until` is null for a pause without an end. */
export interface Pause {
  since: number;
  until: number | null;
}

/** A property of user.db: it survives restarts and holds for every service. */
export class PauseProperty {
  readonly #properties: Properties;

  /** @param user the properties of user.db */
  constructor(user: Properties) {
    this.#properties = user;
  }

  get(): Pause | null {
    const text = this.#properties.get(NAME);
    return text === null ? null : (JSON.parse(text) as Pause);
  }

  set(pause: Pause | null): void {
    this.#properties.set(NAME, pause && JSON.stringify(pause));
  }
}
