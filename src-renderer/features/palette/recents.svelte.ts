import type { Reply } from '../../../src-main/contract/methods.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { parseRef, writeRef, type Ref } from '../../../src-main/contract/refs.ts';

/** A topic is one for a day. */
export type RecentTarget = Exclude<Ref, { view: 'topic' }>;

export interface Recent {
  target: RecentTarget;
  /** The title; that of a report is its kind and label. */
  title: string;
}

const MOST = 12;
const STORED_AS = 'broadsheet.recent';

/**
 * The last opened pages, newest first. Only addresses are kept, in the page's storage: titles are read when they are
 * needed, so that nothing remains of withdrawn items.
 */
export class RecentsState {
  readonly #wire: Wire;
  readonly #storage: Storage | null;
  #targets: readonly RecentTarget[];
  #shown = $state.raw<readonly Recent[]>([]);
  #run = 0;

  constructor(wire: Wire, storage: Storage | null) {
    this.#wire = wire;
    this.#storage = storage;
    this.#targets = targetsIn(storage);
  }

  get shown(): readonly Recent[] {
    return this.#shown;
  }

  note(target: RecentTarget): void {
    const key = writeRef(target);
    if (this.#targets[0] && writeRef(this.#targets[0]) === key) return;
    this.#targets = [target, ...this.#targets.filter((other) => writeRef(other) !== key)].slice(0, MOST);
    try {
      this.#storage?.setItem(STORED_AS, JSON.stringify(this.#targets.map(writeRef)));
    } catch {
      // Without storage, or with a full one, the list lasts until the page is closed.
    }
  }

  async load(): Promise<void> {
    const run = ++this.#run;
    const titles = await Promise.all(this.#targets.map((target) => this.#titleOf(target)));
    if (run !== this.#run) return;
    this.#shown = this.#targets.flatMap((target, at) => {
      const title = titles[at] ?? '';
      return title.trim() === '' ? [] : [{ target, title }];
    });
  }

  async #titleOf(target: RecentTarget): Promise<string> {
    const wire = this.#wire;
    switch (target.view) {
      case 'item':
        return of(await wire.call('items.get', { id: target.id }), ({ title }) => title);
      case 'story':
        return of(await wire.call('stories.get', { publicId: target.publicId }), ({ title }) => title);
      case 'report':
        return of(await wire.call('reports.get', { kind: target.kind, label: target.label }), ({ label }) => label);
      case 'model':
        return of(await wire.call('models.get', { modelList: target.modelList, id: target.id }), ({ id }) => id);
    }
  }
}

function of<Value>(reply: Reply<Value>, title: (value: Value) => string): string {
  return reply.ok ? title(reply.value) : '';
}

/** Reads the storage, which may contain anything: drops what can't be used. */
function targetsIn(storage: Storage | null): RecentTarget[] {
  try {
    const stored: unknown = JSON.parse(storage?.getItem(STORED_AS) ?? '[]');
    if (!Array.isArray(stored)) return [];
    return stored.slice(0, MOST).flatMap((text: unknown) => {
      // Older versions stored links.
      const ref = typeof text === 'string' ? parseRef(text.replace(/^broadsheet:\/\//, '')) : null;
      return ref && ref.view !== 'topic' ? ref : [];
    });
  } catch {
    return [];
  }
}
