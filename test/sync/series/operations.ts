import { expect } from 'vitest';
import type { ItemAction, ItemsQuery } from '../../../src-main/contract/model/item.ts';
import type { SyncResult } from '../../../src-main/contract/model/sync-status.ts';
import type { ItemPatch } from '../../../src-main/demo/service.ts';
import { pick } from '../../store/search/search-items.ts';
import { EVERYTHING } from '../../support/selected-set.ts';
import type { StatusField } from './naive-mirror.ts';
import { rank, STORIES, type Scene } from './scene.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion', 'new-kind', null];
const WORDS = ['model', '模型', '推理', 'agent', 'price', 'Qwen3', '开源', 'benchmark', 'v2.5'];
const TEXTS = [
  'model',
  'mod*',
  '模型',
  '"模型 推理"',
  'agent -price',
  '开',
  'Qwen3 OR agent',
  '-model',
  ' ',
  'v2.5',
  'zzz',
];
const ACTIONS: ItemAction[] = ['read', 'read', 'unread', 'star', 'star', 'unstar'];

interface KeptUndo {
  token: string;
  field: StatusField;
  before: Map<string, number | null>;
  /** True for an action on a whole list. */
  bulk: boolean;
}

/** Draws operations and applies each to the service or the engine, and to the naive model. */
export class Operations {
  /** The last one, for messages. */
  name = '';
  readonly #scene: Scene;
  readonly #random: () => number;
  #undos: KeptUndo[] = [];
  #watermark = { engine: 0, model: 0 };
  readonly #operations: [times: number, name: string, work: () => unknown][];

  constructor(scene: Scene, random: () => number) {
    this.#scene = scene;
    this.#random = random;
    this.#operations = [
      [10, 'add', () => this.#add()],
      [8, 'edit', () => this.#edit()],
      [4, 'withdraw', () => this.#withdraw()],
      [2, 'restore', () => this.#restore()],
      [4, 'leave the set', () => this.#leave()],
      [1, 'backfill', () => this.#backfill()],
      [1, 'require a snapshot', () => this.#requireSnapshot()],
      [1, 'move pages', () => this.#movePages()],
      [6, 'sync', () => this.#sync('now')],
      [4, 'sync all', () => this.#sync('all')],
      [2, 'sync, interrupted', () => this.#interruptedSync()],
      [16, 'mark', () => this.#mark()],
      [3, 'mark all read', () => this.#markAllRead()],
      [4, 'look at a list', () => this.#look()],
      [5, 'undo', () => this.#undo()],
      [1, 'keep days', () => this.#keepDays()],
      [1, 'restart', () => this.#restart()],
      [4, 'change a story', () => this.#changeStory()],
      [4, 'use a story', () => this.#useStory()],
      [2, 'sync stories', () => this.#syncStories()],
    ];
  }

  async next(): Promise<void> {
    const { clock } = this.#scene;
    // Often less than caches keep a list, now and then a night.
    clock.advance(
      this.#random() < 0.03
        ? this.#below(20 * HOUR)
        : this.#below(4) === 0
          ? this.#below(HOUR / 3)
          : this.#below(50_000),
    );
    const all = this.#operations.reduce((sum, [times]) => sum + times, 0);
    let left = this.#random() * all;
    const [, name, work] = this.#operations.find(([times]) => (left -= times) < 0) ?? this.#operations[0]!;
    this.name = name;
    await work();
  }

  query(): ItemsQuery {
    const random = this.#random;
    return {
      scope: pick(random, ['all', 'selected'] as const),
      window: pick(random, ['any', 'any', '24h', '7d'] as const),
      state: pick(random, ['any', 'unread', 'starred'] as const),
      ...(random() < 0.3 && { category: pick(random, CATEGORIES) ?? 'no-such' }),
      ...(random() < 0.4 && { text: pick(random, TEXTS) }),
    };
  }

  below(limit: number): number {
    return this.#below(limit);
  }

  #below(limit: number): number {
    return Math.floor(this.#random() * limit);
  }

  get #control() {
    return this.#scene.service.control;
  }

  #touch(id: string): void {
    this.#scene.touched.add(id);
  }

  /** Ids of public items. */
  #publicIds(): string[] {
    return this.#control.allItems().map(({ id }) => id);
  }

  #texts(): ItemPatch {
    const words = (): string =>
      [1, 2, 3].map(() => pick(this.#random, WORDS)).join(pick(this.#random, [' ', '', '，']));
    const patches: ItemPatch[] = [
      { title: words() },
      { summary: this.#random() < 0.3 ? null : words() },
      { originalTitle: words() },
      { source: { name: words() } },
      { category: pick(this.#random, CATEGORIES) },
      { score: this.#below(100) },
      {
        attribution: { name: pick(this.#random, ['One', 'Other']), url: `https://a.example/${String(this.#below(9))}` },
      },
    ];
    return { ...pick(this.#random, patches), ...(this.#random() < 0.3 && pick(this.#random, patches)) };
  }

  /** Put right in either direction. */
  #times(): ItemPatch {
    const discovered = this.#scene.clock.now() - this.#below(9 * DAY);
    const published = discovered - this.#below(pick(this.#random, [HOUR, 5 * DAY]));
    return { discoveredAt: new Date(discovered).toISOString(), publishedAt: new Date(published).toISOString() };
  }

  /** Most are new; some were discovered days ago, or published long before their discovery. */
  #add(): void {
    const now = this.#scene.clock.now();
    const discovered = now - (this.#random() < 0.7 ? 0 : this.#below(9 * DAY));
    const published = this.#random() < 0.8 ? discovered - this.#below(HOUR) : discovered - this.#below(60 * DAY);
    const { id, selected } = this.#control.addItem({
      discoveredAt: new Date(discovered).toISOString(),
      publishedAt: this.#random() < 0.1 ? null : new Date(published).toISOString(),
      selected: this.#random() < 0.5,
      ...this.#texts(),
    });
    if (selected) this.#touch(id);
  }

  #edit(): void {
    const id = pick(this.#random, this.#publicIds());
    this.#control.editItem(id, this.#random() < 0.3 ? this.#times() : this.#texts());
    this.#touch(id);
  }

  #withdraw(): void {
    this.#control.withdraw(pick(this.#random, this.#publicIds()));
  }

  #restore(): void {
    const { mirror } = this.#scene;
    const ids = [...mirror.withdrawals.keys(), ...mirror.items.keys()];
    if (ids.length === 0) return;
    const id = pick(this.#random, ids);
    this.#control.restore(id);
    this.#touch(id);
  }

  #leave(): void {
    const members = this.#control.selectedItems();
    if (members.length > 60) this.#control.leaveSet(pick(this.#random, members).id, this.#random() < 0.7);
  }

  #backfill(): void {
    for (const { id } of this.#control.backfill(1 + this.#below(3))) this.#touch(id);
  }

  /**
   * As after a restored backup: some items are gone without a change. Now and then the first snapshot lacks half of the set:
   * after the next one, that has left no trace.
   */
  async #requireSnapshot(): Promise<void> {
    const ids = this.#publicIds();
    for (let n = this.#below(3); n > 0; n -= 1) this.#control.dropSilently(pick(this.#random, ids));
    this.#control.requireSnapshot();
    this.#scene.snapshot = true;
    if (this.#random() < 0.5 || this.#scene.mirror.syncs === 0) return;
    // So that old items are deleted now or after both syncs, but not between them.
    await this.#syncStories();
    this.#control.shrinkSnapshots(0.5);
    await this.#run('now', ['selected']);
    this.#scene.mirror.doubt(this.#scene.clock.now());
    await this.#sync('all');
  }

  #movePages(): void {
    this.#control.movePages(`https://pages-${String(this.#below(3))}.example`);
    this.#scene.snapshot = true;
  }

  async #sync(urgency: 'now' | 'all'): Promise<void> {
    const { mirror, clock } = this.#scene;
    const served = await this.#scene.served();
    const result = await this.#run(urgency);
    expect(result).toMatchObject({ ok: true });
    mirror.sync(served, urgency, clock.now());
  }

  /** One of both fails at some request; then both are repeated. */
  async #interruptedSync(): Promise<void> {
    const { mirror, clock } = this.#scene;
    // So that old items are deleted now or after the syncs, but not between them.
    await this.#syncStories();
    const served = await this.#scene.served();
    const urgency = pick(this.#random, ['now', 'all'] as const);
    const broken = pick(this.#random, ['selected', 'items'] as const);
    // The list is read after the set.
    if (broken === 'items') await this.#run(urgency, ['selected']);
    this.#scene.breakRequest(1 + this.#below(6));
    const { selected } = (await this.#run(urgency, [broken])).resources;
    const { openSnapshot } = this.#scene.engine().queries.selectedSet;
    if (selected.missed !== undefined) mirror.failCheck(clock.now(), openSnapshot !== null);
    this.#scene.breakRequest(0);
    expect(await this.#run(urgency)).toMatchObject({ ok: true });
    mirror.sync(served, urgency, clock.now());
  }

  #run(urgency: 'now' | 'all', resources: ('selected' | 'items')[] = ['selected', 'items']): Promise<SyncResult> {
    return this.#scene.engine().call('sync.run', { urgency, resources });
  }

  async #mark(): Promise<void> {
    const { mirror, clock } = this.#scene;
    const saved = [...mirror.items.keys()];
    const known = this.#random() < 0.9 ? saved : [...mirror.withdrawals.keys(), 'unknown'];
    if (known.length === 0) return;
    const ids = Array.from({ length: 1 + this.#below(4) }, () => pick(this.#random, known));
    const mark = pick(this.#random, ACTIONS);
    const receipt = await this.#scene.engine().call('items.mark', { ids, mark });
    const field = mark === 'read' || mark === 'unread' ? 'readAt' : 'starredAt';
    this.#keep(receipt, { field, before: mirror.mark(ids, mark, clock.now()), bulk: false });
  }

  /** A reader sees a list: what comes later isn't meant by "mark all as read". */
  #look(): void {
    const { engine, clock, mirror } = this.#scene;
    const { watermark } = engine().queries.items.page(EVERYTHING, undefined, 1, clock.now());
    this.#watermark = { engine: watermark, model: mirror.syncs };
  }

  async #markAllRead(): Promise<void> {
    const { engine, clock, mirror } = this.#scene;
    const query = { ...this.query(), ...(this.#random() < 0.5 && { window: '24h' as const }) };
    const receipt = await engine().call('items.markAllRead', { query, watermark: this.#watermark.engine });
    const before = mirror.markAllRead(query, this.#watermark.model, clock.now());
    if (receipt.undo !== null) await this.#forgetBulk();
    this.#keep(receipt, { field: 'readAt', before, bulk: true });
  }

  /** An action on a whole list takes the place of the one before, which can no longer be undone. */
  async #forgetBulk(): Promise<void> {
    const last = this.#undos.find(({ bulk }) => bulk);
    if (!last) return;
    const undone = this.#scene.engine().call('items.undoMark', { undo: last.token });
    await expect(undone).rejects.toMatchObject({ code: 'not_found' });
    this.#undos = this.#undos.filter((one) => one !== last);
  }

  #keep(receipt: { changed: number; undo: string | null }, undo: Omit<KeptUndo, 'token'>): void {
    expect(receipt.changed).toBe(undo.before.size);
    expect(receipt.undo !== null).toBe(undo.before.size > 0);
    if (receipt.undo !== null) this.#undos = [...this.#undos, { token: receipt.undo, ...undo }].slice(-20);
  }

  async #undo(): Promise<void> {
    const undo = this.#random() < 0.7 ? this.#undos.at(-1) : this.#undos[this.#below(this.#undos.length)];
    if (!undo) return;
    this.#undos = this.#undos.filter((one) => one !== undo);
    const { engine, mirror } = this.#scene;
    expect(await engine().call('items.undoMark', { undo: undo.token })).toEqual({ restored: undo.before.size });
    mirror.restore(undo.field, undo.before);
  }

  async #keepDays(): Promise<void> {
    const keepDays = pick(this.#random, [null, 10, 30]);
    await this.#scene.useSettings({ keepDays });
    this.#scene.mirror.keepDays = keepDays;
  }

  async #restart(): Promise<void> {
    await this.#scene.restart();
    this.#scene.mirror.restart();
    this.#undos = [];
  }

  #changeStory(): void {
    const scene = this.#scene;
    const at = this.#below(STORIES.length);
    const id = STORIES[at] ?? '';
    const later = STORIES.slice(at + 1);
    const change = this.#below(4);
    if (change === 0 && later.length > 0) scene.setStory(id, { mergedInto: pick(this.#random, later) });
    else if (change === 1) scene.setStory(id, null);
    else if (change === 2)
      rank(
        scene,
        STORIES.filter(() => this.#random() < 0.4),
      );
    else scene.setStory(id, { title: `${id}, version ${String(this.#below(1000))}` });
  }

  async #syncStories(): Promise<void> {
    const { engine, clock, stories, ranked, mirror } = this.#scene;
    clock.advance(61_000);
    const resources = ['hotTopics', 'stories'] as const;
    expect(await engine().call('sync.run', { urgency: 'now', resources: [...resources] })).toMatchObject({ ok: true });
    stories.sync(ranked, (id) => this.#scene.servedStory(id), clock.now());
    mirror.sweep(clock.now());
  }

  /** Only stories that the service named may be opened. */
  async #useStory(): Promise<void> {
    const { engine, clock, stories } = this.#scene;
    const id = pick(this.#random, STORIES);
    if (!stories.saved.has(stories.resolve(id))) return;
    clock.advance(61_000);
    await engine().call('stories.open', { publicId: id });
    stories.fetch(id, (one) => this.#scene.servedStory(one), clock.now());
    const on = this.#random() < 0.6;
    const follows = this.#random() < 0.5;
    if (follows) await engine().call('stories.follow', { publicId: id, follow: on });
    else await engine().call('stories.star', { publicId: id, star: on });
    stories.mark(id, follows ? 'followedAt' : 'starredAt', on, clock.now());
  }
}
