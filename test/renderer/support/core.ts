import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { inject, onTestFinished, vi } from 'vitest';
import type { EventName, Events } from '../../../src-main/contract/events.ts';
import type { ItemAction, ItemRow, ItemStatus } from '../../../src-main/contract/model/item.ts';
import { RESOURCES, type ResourceName } from '../../../src-main/contract/model/resource.ts';
import type { SyncStatus } from '../../../src-main/contract/model/sync-status.ts';
import type { Capabilities } from '../../../src-main/contract/model/capabilities.ts';
import type { Settings } from '../../../src-main/contract/settings.ts';
import type { DemoControl, ItemPatch, ModelPatch } from '../../../src-main/demo/options.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openTestApp, type TestApp, type TestAppOptions } from '../../support/test-app.ts';
import { ControlledWire } from './controlled-wire.ts';
import { madeUpRow } from './made-up-items.ts';
import { expectWork } from './settle.ts';

/** The time in each test with a core, of the page too. It only moves when a test moves it. */
export const NOW = Date.parse('2026-03-18T06:30:00Z');
const MINUTE = 60_000;
const ITEMS = ['selected', 'items'] as const satisfies ResourceName[];
const NO_CONTENT = { selected: 0, unselected: 0, days: 1, until: NOW };

type CatalogueRecord = ModelPatch & { id: string };

/** Data that are synced once for all tests that start with them. */
interface Scene extends Pick<TestAppOptions, 'content' | 'models' | 'modelsKey'> {
  /** Items of the service beside its content, newest first, with their status. */
  items?: readonly ItemRow[];
  /** The gateway lists these models with these fields, and no others. */
  catalogue?: readonly CatalogueRecord[];
  /** Default: the items, if there are any, and the catalogue, if it is given. */
  synced?: readonly ResourceName[];
}

/** Selected items, none of them read or starred. */
export function unreadPicks(count: number, changes: Partial<ItemRow> = {}): ItemRow[] {
  const state = { readAt: null, starredAt: null };
  return Array.from({ length: count }, (_, n) => madeUpRow(n, NOW, { inSelectedSet: true, state, ...changes }));
}

/** Everything that the service has: 64 dailies, nine weeklies, two monthlies, topics of which one has a story, models. */
export const NEWS: Scene = { content: { selected: 160, days: 65, until: NOW }, synced: RESOURCES };

/** Two days of news: two topics have stories, and the daily has fifteen, and four in brief. */
export const STORIES: Scene = { content: { selected: 40, days: 2, until: NOW }, synced: RESOURCES };

/** Two days with so much news that the stories of topics are long, and have earlier ones. */
export const COVERAGE: Scene = { content: { selected: 256, days: 2, until: NOW }, synced: RESOURCES };

export type CoreOptions = Scene & Pick<TestAppOptions, 'settings' | 'capabilities' | 'gateway'>;

/** Opens a core on data that were synced with a service that tests can change. */
export async function openCore(options: CoreOptions = {}): Promise<CoreWire> {
  vi.setSystemTime(NOW);
  onTestFinished(() => void vi.useRealTimers());
  const { settings: _, capabilities: __, gateway: ___, ...scene } = options;
  const path = temporaryFolder();
  cpSync(await fillOnce(scene), path, { recursive: true });
  const { app, stock } = await openOn(path, options);
  onTestFinished(expectWork());
  return new CoreWire(app, options.items ?? [], stock);
}

/** The core over its wire, the service, and what can happen there. */
export class CoreWire extends ControlledWire {
  readonly app: TestApp;
  /** Those that the test gave. */
  readonly rows: readonly ItemRow[];
  readonly #stock: () => void;
  #shown: Partial<SyncStatus> = {};

  /** `stock` gives the service its items and models. */
  constructor(app: TestApp, rows: readonly ItemRow[], stock: () => void) {
    super(app.core.wire);
    this.app = app;
    this.rows = rows;
    this.#stock = stock;
  }

  get settings(): Settings {
    return this.app.ports.settings.get();
  }

  /** For settings that only the page uses; the engine has those from its start. */
  set settings(settings: Settings) {
    this.app.ports.settings.set(settings);
  }

  get capabilities(): Capabilities {
    return this.app.ports.capabilities;
  }

  set capabilities(capabilities: Capabilities) {
    this.app.ports.capabilities = capabilities;
  }

  /** Changes the service. Sync afterwards. */
  get service(): DemoControl {
    this.#stock();
    return this.app.service.control;
  }

  /** Calls a method past the controls, and throws its failure. */
  get ask(): TestApp['call'] {
    return this.app.call;
  }

  /** Lets rows arrive now, the first one as the newest. */
  async arrive(rows: readonly ItemRow[]): Promise<void> {
    this.pass(MINUTE);
    const now = this.app.clock.now();
    await this.add(rows.map((row, index) => ({ ...row, discoveredAt: new Date(now - index * 1_000).toISOString() })));
  }

  /** Lets rows arrive with the times that they have. */
  async add(rows: readonly ItemRow[]): Promise<void> {
    for (const row of rows.toReversed()) this.service.addItem(served(row));
    await this.sync();
  }

  async revise(id: string, changes: ItemPatch): Promise<void> {
    this.pass(MINUTE);
    this.service.editItem(id, changes);
    await this.sync();
  }

  async withdraw(id: string): Promise<void> {
    this.pass(MINUTE);
    this.service.withdraw(id);
    await this.sync();
  }

  /** Lets the gateway list another model, with these fields only. Sync afterwards. */
  addModel(record: CatalogueRecord): void {
    addModel(this.service, record);
  }

  async sync(resources: readonly ResourceName[] = ITEMS): Promise<void> {
    await this.ask('sync.run', { urgency: 'now', resources: [...resources] });
  }

  /** Moves the time of core and page. */
  pass(ms: number): void {
    // The service has had its items from the start.
    this.#stock();
    this.app.clock.advance(ms);
    vi.setSystemTime(this.app.clock.now());
  }

  /** The saved items, newest first. */
  async stored(): Promise<ItemRow[]> {
    const query = { scope: 'all', window: 'any', state: 'any' } as const;
    return (await this.ask('items.page', { query, limit: 500 })).rows;
  }

  async stateOf(id: string): Promise<ItemStatus> {
    return (await this.ask('items.get', { id })).state;
  }

  /** Shows a state of the sync that a test can't bring about. */
  async setStatus(changes: Partial<SyncStatus>): Promise<void> {
    this.#shown = { ...this.#shown, ...changes };
    this.answer('sync.status', async () => ({ ...(await this.ask('sync.status', {})), ...this.#shown }));
    this.emit('sync.changed', await this.ask('sync.status', {}));
  }

  override emit<E extends EventName>(event: E, payload: Events[E]): void {
    super.emit(event, event === 'sync.changed' ? { ...payload, ...this.#shown } : payload);
  }
}

/** Returns the folder with the data of a scene. */
async function fillOnce(scene: Scene): Promise<string> {
  const name = createHash('sha256').update(JSON.stringify(scene)).digest('hex');
  const folder = join(inject('scenes'), name);
  if (existsSync(folder)) return folder;
  const filling = `${folder}-${String(process.pid)}`;
  mkdirSync(filling);
  await fill((await openOn(filling, scene)).app, scene);
  try {
    renameSync(filling, folder);
  } catch {
    // Another process was faster.
    rmSync(filling, { recursive: true });
  }
  return folder;
}

async function fill({ core, call }: TestApp, { items = [], catalogue, synced: given }: Scene): Promise<void> {
  const synced = given ?? [...(items.length > 0 ? ITEMS : []), ...(catalogue ? (['models'] as const) : [])];
  if (synced.length > 0) await call('sync.run', { urgency: 'now', resources: [...synced] });
  const mark = async (action: ItemAction, rows: readonly ItemRow[]): Promise<void> => {
    if (rows.length > 0) await call('items.mark', { ids: rows.map(({ id }) => id), mark: action });
  };
  const withStatus = (status: 'readAt' | 'starredAt') => items.filter(({ state }) => state[status] !== null);
  await mark('read', withStatus('readAt'));
  await mark('star', withStatus('starredAt'));
  await core.close();
}

async function openOn(path: string, options: CoreOptions): Promise<{ app: TestApp; stock: () => void }> {
  let isStocked = false;
  const stock = (): void => {
    if (isStocked) return;
    isStocked = true;
    const { control } = app.service;
    for (const row of options.items?.toReversed() ?? []) control.addItem(served(row));
    for (const record of options.catalogue?.toReversed() ?? []) addModel(control, record);
  };
  const app = await openTestApp({
    content: NO_CONTENT,
    ...(options.catalogue && { models: 0 }),
    gateway: ({ modelsAddress }) => ({ address: modelsAddress, demo: true, from: 'demo' }),
    ...options,
    // Most tests never sync.
    intercept: () => {
      stock();
      return false;
    },
    capabilities: { opensLinks: true, ...options.capabilities },
    folder: { path },
    builtIn: true,
    start: new Date(NOW).toISOString(),
  });
  return { app, stock };
}

/** An item as the service sends it. */
function served(row: ItemRow): ItemPatch {
  const { id, title, originalTitle, summary, source, links, publishedAt, discoveredAt, category, score } = row;
  const { reason, attribution, extra, inSelectedSet: selected } = row;
  const fields = { id, title, originalTitle, summary, source, links, publishedAt, discoveredAt, category, score };
  return { ...extra, ...fields, reason, attribution, selected };
}

function addModel(service: DemoControl, record: CatalogueRecord): void {
  const { id, ...usual } = service.addModel('models', { id: record.id });
  service.editModel('models', id, Object.fromEntries(Object.keys(usual).map((name) => [name, undefined])));
  service.editModel('models', id, record);
}
