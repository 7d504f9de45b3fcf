import { createSubscriber } from 'svelte/reactivity';
import type { Failure } from '../../src-main/contract/errors.ts';
import { EVENT_NAMES, type EventName, type Events } from '../../src-main/contract/events.ts';
import type { Args, MethodName, Reply, Result } from '../../src-main/contract/methods.ts';
import { PAUSES_MS, RENEWALS, type CachedMethod, type RenewalsOf } from '../../src-main/contract/renewals.ts';
import type { Wire } from '../../src-main/contract/wire.ts';
import { ItemChanges, type ChangeableItem, type ItemChange } from './item-changes.svelte.ts';

export type { ChangeableItem } from './item-changes.svelte.ts';

/** Sooner, a skeleton would only flash. */
const PATIENCE_MS = 150;
/** The latest of those that nothing shows: a view that is shown again has its rows at once. */
const MAX_UNUSED = 100;
const MAX_CHANGES = 100;

/**
 * How a change looks before its answers are read again, by the method whose answers show it. The functions use what they
 * are given and constants: state that depends on an answer would depend on itself.
 */
export type Changes = AnswerChanges & { readonly item?: ItemChange };

type AnswerChanges = { readonly [M in CachedMethod]?: (answer: Result<M>, args: Args<M>) => Result<M> };

interface Layer {
  readonly changes: Changes;
  /** The tick at which it was saved; null until then. */
  savedAt: number | null;
}

interface Owner {
  readonly wire: Pick<Wire, 'call'>;
  readonly layers: readonly Layer[];
  tick(): number;
}

const renewalsOf = (method: CachedMethod): RenewalsOf<CachedMethod> => RENEWALS[method] as RenewalsOf<CachedMethod>;

type AnyRenewal = true | 'nextTime' | ((payload: unknown, args: unknown, answer: unknown) => boolean | 'nextTime');

/**
 * The answer to a call that stays true while it is shown. Using `value`, `failure` or `slow` in a template or an effect
 * reads it, and the last user's end stops that.
 *
 * - One request at a time; whatever makes it old meanwhile leads to exactly one more. So no answer overtakes another, and a
 *   storm of events costs one request per answer time.
 * - Unsaved changes are layers over the answer. One stays until an answer arrives that was asked for after it was saved.
 * - After a failure, the next event, use or {@link read} asks again. The last value stays.
 */
export class Live<M extends CachedMethod> {
  readonly method: M;
  readonly args: Args<M>;
  readonly #owner: Owner;
  readonly #subscribe: () => void;
  #answer: { value: Result<M>; sentAt: number } | null = null;
  #failure: Failure | null = null;
  #isSlow = false;
  /** It must be read when it is used next. */
  #isOld = true;
  /** It must be read once more now. */
  #isWanted = false;
  #reading: Promise<void> | null = null;
  #isPausing = false;
  #tellsReading = false;
  #update: (() => void) | null = null;
  #shown: { answer: Result<M>; layers: readonly Layer[]; value: Result<M> } | null = null;

  constructor(method: M, args: Args<M>, owner: Owner, onUnused: () => void) {
    this.method = method;
    this.args = args;
    this.#owner = owner;
    this.#subscribe = createSubscriber((update) => {
      if (this.#isOld || renewalsOf(method).shown) void this.read();
      this.#update = update;
      return () => {
        this.#update = null;
        onUnused();
      };
    });
  }

  /** The latest answer with unsaved changes over it. Null before the first one. */
  get value(): Result<M> | null {
    this.#subscribe();
    return this.#answer && this.#withChanges(this.#answer);
  }

  /** Why the last read failed; null if it didn't. */
  get failure(): Failure | null {
    this.#subscribe();
    return this.#failure;
  }

  /** True if the first answer takes long enough to show that it is on its way. */
  get slow(): boolean {
    this.#subscribe();
    return this.#isSlow;
  }

  /** True while it is being read. */
  get isReading(): boolean {
    this.#tellsReading = true;
    this.#subscribe();
    return this.#reading !== null;
  }

  get isUsed(): boolean {
    return this.#update !== null;
  }

  /** When the answer was asked for, in ticks of the owner. -1 without an answer. */
  get sentAt(): number {
    return this.#answer?.sentAt ?? -1;
  }

  /** Reads it again. Resolves when no newer answer is on its way. */
  read(): Promise<void> {
    this.#isWanted = true;
    this.#reading ??= this.#readAll();
    if (this.#tellsReading) this.#update?.();
    return this.#reading;
  }

  /** Reads it if it is old. Resolves when no newer answer is on its way. */
  async ready(): Promise<void> {
    if (this.#isOld) await this.read();
    else await this.#reading;
  }

  hear(renewal: AnyRenewal, payload: unknown): void {
    const isRenewed = this.#isRenewedBy(renewal, payload);
    if (isRenewed !== false) this.#isOld = true;
    if (isRenewed === true) this.#renewAfterPause();
  }

  /** Reads it again, now or when it is shown next. */
  renew(): void {
    this.#isOld = true;
    if (this.isUsed) void this.read();
  }

  #renewAfterPause(): void {
    const pause: number | undefined = PAUSES_MS[this.method];
    if (pause === undefined) return this.renew();
    if (this.#isPausing) return;
    this.#isPausing = true;
    setTimeout(() => {
      this.#isPausing = false;
      if (this.#isOld) this.renew();
    }, pause);
  }

  retry(): void {
    if (this.#failure) this.renew();
  }

  /** Shows layers that have come or gone. */
  refresh(): void {
    this.#update?.();
  }

  #isRenewedBy(renewal: AnyRenewal, payload: unknown): boolean | 'nextTime' {
    if (typeof renewal !== 'function') return renewal;
    // The answer on its way may be older than the event.
    return this.#answer === null || renewal(payload, this.args, this.#answer.value);
  }

  async #readAll(): Promise<void> {
    const patience = setTimeout(() => this.#set(this.#failure, this.#answer === null), PATIENCE_MS);
    do await this.#readOnce();
    while (this.#isWanted);
    // In the same turn as the last look at what is wanted: whoever asks from now on starts a read.
    this.#reading = null;
    clearTimeout(patience);
    this.#isOld ||= this.#failure !== null;
    if (this.#tellsReading) this.#update?.();
  }

  async #readOnce(): Promise<void> {
    this.#isWanted = false;
    this.#isOld = false;
    const sentAt = this.#owner.tick();
    const reply = await this.#owner.wire.call(this.method, this.args);
    if (reply.ok) this.#answer = { value: reply.value, sentAt };
    this.#set(reply.ok ? null : reply.error, false);
  }

  #set(failure: Failure | null, isSlow: boolean): void {
    this.#failure = failure;
    this.#isSlow = isSlow;
    this.#update?.();
  }

  /** The same object for the same answer and layers, so that what it is made of is drawn once. */
  #withChanges({ value: answer, sentAt }: { value: Result<M>; sentAt: number }): Result<M> {
    const { layers } = this.#owner;
    if (this.#shown?.answer === answer && this.#shown.layers === layers) return this.#shown.value;
    const value = layers
      .filter(({ savedAt }) => savedAt === null || sentAt <= savedAt)
      .reduce(
        (shown, { changes }: { changes: AnswerChanges }) => changes[this.method]?.(shown, this.args) ?? shown,
        answer,
      );
    this.#shown = { answer, layers, value };
    return value;
  }
}

type AnyLive = Live<CachedMethod>;

/** The answers that the page keeps, each once. */
export class LiveAnswers {
  readonly #answers = new Map<string, AnyLive>();
  readonly #wire: Wire;
  readonly #owner: Owner;
  readonly #items = new ItemChanges();
  #saving: Promise<unknown> = Promise.resolve();
  #layers: readonly Layer[] = [];
  #ticks = 0;

  constructor(wire: Wire) {
    const layers = (): readonly Layer[] => this.#layers;
    this.#wire = wire;
    this.#owner = {
      wire: this,
      tick: () => ++this.#ticks,
      get layers() {
        return layers();
      },
    };
    for (const event of EVENT_NAMES) this.on(event, (payload) => this.#hear(event, payload));
    wire.on('engine.changed', ({ running }) => {
      if (running) for (const live of this.#answers.values()) live.retry();
    });
  }

  /** Returns the same object for equal arguments. */
  get<M extends CachedMethod>(method: M, args: Args<M>): Live<M> {
    const key = `${method} ${JSON.stringify(args)}`;
    const live = this.#answers.get(key) ?? this.#create(method, args);
    // The last one is the latest.
    this.#answers.delete(key);
    this.#answers.set(key, live);
    return live as unknown as Live<M>;
  }

  /**
   * Shows changes at once, and saves them with a call. They are taken back if that fails, and end with the answers that
   * are read after it.
   */
  async change<M extends MethodName>(changes: Changes, method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    const layer: Layer = { changes, savedAt: null };
    this.#setLayers([...this.#layers, layer].slice(-MAX_CHANGES));
    if (changes.item) this.#items.add(layer);
    const saving = this.#wire.call(method, args);
    if (changes.item) this.#saving = Promise.allSettled([this.#saving, saving]);
    const reply = await saving;
    if (reply.ok) {
      layer.savedAt = ++this.#ticks;
      for (const live of this.#changedBy(layer)) live.renew();
    } else {
      this.#setLayers(this.#layers.filter((one) => one !== layer));
      this.#items.remove(layer);
    }
    return reply;
  }

  async call<M extends MethodName>(method: M, args: Args<M>): Promise<Reply<Result<M>>> {
    const askedAt = this.#owner.tick();
    const reply = await this.#wire.call(method, args);
    if (reply.ok) this.#items.note(method, reply.value, askedAt);
    return reply;
  }

  /**
   * Listens to an event. Marks are told when no change of items is being saved: an item that is read sooner would look
   * as changed until it is read again.
   */
  on<E extends EventName>(event: E, listener: (payload: Events[E]) => void): () => void {
    if (event !== 'marks.changed') return this.#wire.on(event, listener);
    return this.#wire.on(event, (payload) => void this.#saving.then(() => listener(payload)));
  }

  /** Returns an item as it is with the changes since it was asked for. */
  item<T extends ChangeableItem>(item: T): T {
    return this.#items.over(item);
  }

  #create<M extends CachedMethod>(method: M, args: Args<M>): AnyLive {
    return new Live(method, args, this.#owner, () => this.#prune());
  }

  #hear(event: EventName, payload: unknown): void {
    for (const live of this.#answers.values()) {
      const renewals = renewalsOf(live.method);
      const renewal = renewals[event] as AnyRenewal | undefined;
      if (event === 'data.replaced' && !renewals.shown) live.renew();
      else if (renewal !== undefined) live.hear(renewal, payload);
    }
  }

  #changedBy({ changes }: Layer): AnyLive[] {
    return [...this.#answers.values()].filter(({ method }) => changes[method] !== undefined);
  }

  #setLayers(layers: readonly Layer[]): void {
    const gone = this.#layers.filter((layer) => !layers.includes(layer));
    const added = layers.filter((layer) => !this.#layers.includes(layer));
    this.#layers = layers;
    for (const live of new Set([...gone, ...added].flatMap((layer) => this.#changedBy(layer)))) live.refresh();
  }

  /** Forgets what nothing shows, and reads the rest again. Resolves when it is read. */
  async startOver(): Promise<void> {
    for (const [key, live] of this.#answers) if (!live.isUsed) this.#answers.delete(key);
    await Promise.all([...this.#answers.values()].map((live) => live.read()));
  }

  /** Forgets the oldest unused answers, and changes that every answer has. */
  #prune(): void {
    const unused = [...this.#answers].filter(([, live]) => !live.isUsed);
    for (const [key] of unused.slice(0, Math.max(0, unused.length - MAX_UNUSED))) this.#answers.delete(key);
    const isOpen = (layer: Layer): boolean => {
      const { savedAt } = layer;
      return savedAt === null || this.#changedBy(layer).some(({ sentAt }) => sentAt <= savedAt);
    };
    if (!this.#layers.every(isOpen)) this.#setLayers(this.#layers.filter(isOpen));
  }
}

/**
 * An answer whose arguments change, as those of a search do: the one before is shown until the new one is there. Without
 * `live`, while its view is hidden, it stays as it is. Not for what is open for reading, where another one must not stay.
 */
export class Latest<M extends CachedMethod> {
  readonly #live: () => Live<M> | null;
  #last: Result<M> | null = null;

  constructor(live: () => Live<M> | null) {
    this.#live = live;
  }

  get value(): Result<M> | null {
    return (this.#last = this.#live()?.value ?? this.#last);
  }

  get failure(): Failure | null {
    return this.#live()?.failure ?? null;
  }

  get slow(): boolean {
    return this.#last === null && this.#live()?.slow === true;
  }

  async read(): Promise<void> {
    await this.#live()?.read();
  }

  async ready(): Promise<void> {
    await this.#live()?.ready();
  }
}
