import type { EventName } from '../../../src-main/contract/events.ts';
import type { Today } from '../../../src-main/contract/model/today.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';

/** Events that may change something on the front page. */
const CHANGES: readonly EventName[] = [
  'data.replaced',
  'items.changed',
  'marks.changed',
  'reports.changed',
  'hotTopics.changed',
  'stories.changed',
  'visits.changed',
  'models.changed',
  'gateway.changed',
];
/** In ms. A sync sends several events, and a reader can mark several items a second: one read covers them all. */
const TOGETHER_MS = 250;

/** Today's content, for the front page and for the end of a report. It is read while one of the two is shown. */
export class FrontPageState {
  readonly #wire: Wire;
  readonly today = new AsyncResource<Today>();
  #chosen = $state(false);
  #followers = 0;
  #outdated = true;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(wire: Wire) {
    this.#wire = wire;
    for (const event of CHANGES) wire.on(event, () => this.#changed());
  }

  /** True if the reader went to the front page: with one pane it then covers the list. */
  get chosen(): boolean {
    return this.#chosen;
  }

  choose(): void {
    this.#chosen = true;
  }

  leave(): void {
    this.#chosen = false;
  }

  async load(): Promise<void> {
    this.#outdated = false;
    await this.today.read(this.#wire.call('today.get', {}));
  }

  /** Keeps it up to date until the returned function is called. */
  follow(): () => void {
    this.#followers += 1;
    if (this.#outdated) void this.load();
    return () => {
      this.#followers -= 1;
    };
  }

  #changed(): void {
    this.#outdated = true;
    if (this.#followers === 0 || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#outdated && this.#followers > 0) void this.load();
    }, TOGETHER_MS);
  }
}
