import type { SyncStatus } from '../../src-main/contract/model.ts';
import type { Wire } from '../../src-main/contract/wire.ts';

/** How the copy of the service stands. */
export class SyncState {
  readonly #wire: Wire;
  #status = $state.raw<SyncStatus | null>(null);
  #asked = $state(false);

  /** `onNewContent` is told when what is stored is another whole: the first copy done, or another service's. */
  constructor(wire: Wire, onNewContent: (why: 'firstCopy' | 'otherService') => void) {
    this.#wire = wire;
    wire.on('sync.changed', (status) => {
      const before = this.#status;
      this.#status = status;
      if (!before) return;
      if (before.source.address !== status.source.address) onNewContent('otherService');
      else if (!before.selectedComplete && status.selectedComplete) onNewContent('firstCopy');
    });
  }

  get status(): SyncStatus | null {
    return this.#status;
  }
  get running(): boolean {
    return this.#asked || (this.#status?.resources.some((resource) => resource.running) ?? false);
  }
  /** The selected set's own line, which carries the progress of the first copy. */
  get selected() {
    return this.#status?.resources.find((resource) => resource.name === 'selected') ?? null;
  }
  /** Whether the first copy of the selected set is still to be finished; false while nothing is known. */
  get firstCopy(): boolean {
    return this.#status !== null && !this.#status.selectedComplete;
  }
  get offline(): boolean {
    return this.#status?.reachable === false;
  }
  get failure() {
    return this.#status?.resources.find((resource) => resource.error)?.error ?? null;
  }

  async load(): Promise<void> {
    const reply = await this.#wire.call('sync.status', {});
    if (reply.ok) this.#status = reply.value;
  }

  /** The reader's refresh: everything whose cached answer has outlived its lifetime. */
  async refresh(): Promise<void> {
    if (this.running) return;
    this.#asked = true;
    await this.#wire.call('sync.run', { urgency: 'permitted' });
    this.#asked = false;
    await this.load();
  }
}
