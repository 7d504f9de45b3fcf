import type { Failure } from '../../../src-main/contract/errors.ts';
import type { SourceLine, SourcePage, SourceSort } from '../../../src-main/contract/model/source.ts';
import type { Wire } from '../../../src-main/contract/wire.ts';
import { sourceKey } from '../../../src-main/common/source-label.ts';
import { AsyncResource } from '../../api/async-resource.svelte.ts';
import type { Rows } from '../../api/pages.ts';
import { ListCursor } from '../../ui/list-cursor.svelte.ts';

/** Sources per read. */
const PART = 100;
/** The limit of the contract. */
const LONGEST_TEXT = 200;
/** In ms. Items often arrive and are read in quick succession. */
const PAUSE_MS = 1_000;

/** The list of sources, of which only visited parts are loaded, and the source whose items are shown. */
export class SourcesState implements Rows<SourceLine> {
  readonly #wire: Wire;
  readonly page = new AsyncResource<SourcePage>();
  readonly cursor = new ListCursor();
  #name: string | null = null;
  #sort = $state<SourceSort>('unread');
  #text = $state('');
  #lines = $state.raw<readonly (SourceLine | undefined)[] | null>(null);
  #failure = $state.raw<Failure | null>(null);
  #seen = { first: 0, last: 0 };
  /** The parts that are loaded or being loaded. */
  #parts = new Set<number>();
  #run = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #shown = false;

  constructor(wire: Wire) {
    this.#wire = wire;
    this.cursor.active = 0;
    wire.on('data.replaced', () => this.#renew());
    wire.on('items.changed', () => this.#renewSoon());
    wire.on('marks.changed', () => this.#renewSoon());
    wire.on('rules.changed', () => this.#renewSoon());
  }

  get sort(): SourceSort {
    return this.#sort;
  }
  get text(): string {
    return this.#text;
  }
  /** All sources that match; undefined where they are not loaded. Null before the first reply. */
  get lines(): readonly (SourceLine | undefined)[] | null {
    return this.#lines;
  }
  get failure(): Failure | null {
    return this.#failure;
  }
  get count(): number | null {
    return this.#lines && this.#lines.length;
  }

  at(index: number): SourceLine | undefined {
    return this.#lines?.[index];
  }

  /** Reads the list again with its order and search. The old one stays until then. */
  async load(): Promise<void> {
    const run = ++this.#run;
    const from = PART * Math.floor(this.#seen.first / PART);
    this.#parts = new Set([from]);
    const reply = await this.#read(from);
    if (run !== this.#run) return;
    if (!reply.ok) {
      this.#failure = reply.error;
      return;
    }
    this.#failure = null;
    this.#lines = placed(
      Array.from({ length: reply.value.count }, () => undefined),
      from,
      reply.value.sources,
    );
    this.cursor.active = Math.min(this.cursor.active, Math.max(0, reply.value.count - 1));
    this.see(this.#seen.first, this.#seen.last);
  }

  sortBy(sort: SourceSort): void {
    this.#sort = sort;
    this.#fromTop();
  }

  search(text: string): void {
    const wanted = text.trim().slice(0, LONGEST_TEXT);
    if (wanted === this.#text) return;
    this.#text = wanted;
    this.#fromTop();
  }

  /** Takes the visible rows, and loads missing sources there. */
  see(first: number, last: number): void {
    this.#seen = { first, last };
    const count = this.#lines?.length ?? 0;
    for (let from = PART * Math.floor(first / PART); from <= last && from < count; from += PART) {
      if (!this.#parts.has(from)) void this.#add(from);
    }
  }

  /** Moves to the next (1) or previous (-1) source. Returns false if there is none. */
  step(by: 1 | -1): boolean {
    const before = this.cursor.active;
    this.cursor.moveTo(before + by);
    return this.cursor.active !== before;
  }

  /** Reads the numbers of the source whose items are shown. */
  async show(name: string): Promise<void> {
    if (this.#name === null || sourceKey(name) !== sourceKey(this.#name)) this.page.clear();
    this.#name = name;
    await this.page.read(this.#wire.call('sources.get', { name }));
  }

  /** Called when the items of a source are no longer shown. */
  leave(): void {
    this.#name = null;
    this.page.clear();
  }

  /** True while the list of sources is on the page: otherwise it is read again when it is shown. */
  set shown(shown: boolean) {
    this.#shown = shown;
  }

  async #add(from: number): Promise<void> {
    const run = this.#run;
    this.#parts.add(from);
    const reply = await this.#read(from);
    if (run !== this.#run || this.#lines === null) return;
    if (!reply.ok) {
      this.#parts.delete(from);
      this.#failure = reply.error;
      return;
    }
    const { count, sources } = reply.value;
    if (count === this.#lines.length) this.#lines = placed(this.#lines, from, sources);
    else void this.load();
  }

  #read(offset: number) {
    const text = this.#text === '' ? {} : { text: this.#text };
    return this.#wire.call('sources.list', { sort: this.#sort, offset, limit: PART, ...text });
  }

  #fromTop(): void {
    this.cursor.active = 0;
    this.cursor.scrollTo(0);
    this.#seen = { first: 0, last: 0 };
    void this.load();
  }

  #renewSoon(): void {
    this.#timer ??= setTimeout(() => this.#renew(), PAUSE_MS);
  }

  #renew(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#shown && this.#lines !== null) void this.load();
    if (this.#name !== null) void this.show(this.#name);
  }
}

function placed(
  lines: readonly (SourceLine | undefined)[],
  from: number,
  sources: readonly SourceLine[],
): (SourceLine | undefined)[] {
  return lines.map((line, index) => sources[index - from] ?? line);
}
