import fc from 'fast-check';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startDemoService } from '../../src-main/demo/service.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { openSettingsStore } from '../../src-main/node/settings-store.ts';
import type { Task, Work } from '../support/busy-child.ts';
import { fakeClock } from '../support/clock.ts';
import { noteFigures } from '../support/figures.ts';
import { temporaryFolder } from '../support/folders.ts';
import { KEY, modelRecord, startGateway } from '../support/gateway.ts';
import { expectSoundFiles } from '../support/killed-sync.ts';
import { isWhole } from '../support/proofs.ts';
import { expectHeld } from '../support/properties.ts';
import { expectEqualSets } from '../support/selected-set.ts';
import { openTestEngine, type TestEngine } from '../support/test-engine.ts';
import { idsIn } from '../support/user-data.ts';

const CHILD = fileURLToPath(new URL('../support/busy-child.ts', import.meta.url));
const KILLS = isWhole ? 200 : 2;
/** Least cases of each work in the long form: fewer would mean that the generated cases leave something out. */
const LEAST_OF_A_WORK = 5;
/** So that no answer is still fresh. */
const BEYOND_CACHES = 301_000;
const MODELS = 500;
const WORKS: readonly Work[] = [
  'marks',
  'settings',
  'changes',
  'download',
  'backfill',
  'models',
  'export',
  'import',
  'restore',
  'rebuild',
];

interface Kill {
  work: Work;
  /** After the work has begun. */
  ms: number;
}

/** Kills processes that work in one data folder, and checks what they leave. */
async function openScene() {
  // The killed processes have the real clock.
  const clock = fakeClock(Date.now());
  const service = await startDemoService({ clock, content: { selected: 250, unselected: 40, days: 4 } });
  const gateway = await startGateway({ models: modelsOf(0), pageSize: 100 });
  const folder = temporaryFolder();
  /** Confirmed changes: marks and settings are numbered. */
  const confirmed = { marks: -1, settings: -1 };
  let runs = 0;
  const open = (): TestEngine =>
    openTestEngine({ address: service.newsAddress, gateway: gateway.asked(), clock, folder });

  /** Prepares the service and the folder, so that the work has something to do. */
  function prepare(work: Work): void {
    runs += 1;
    clock.advance(BEYOND_CACHES);
    const { control } = service;
    if (work === 'changes') {
      const items = control.selectedItems();
      for (const { id } of items.slice(0, 120)) control.editItem(id, { title: `Edited in run ${runs}` });
      for (const { id } of items.slice(120, 123)) control.withdraw(id);
      for (let n = 0; n < 3; n += 1) control.addItem({ selected: true });
    }
    if (work === 'models') gateway.models = modelsOf(runs);
    // Everything but user.db and the history of the models comes from the service.
    if (work === 'download' || work === 'backfill')
      for (const name of ['mirror.db', 'search.db'])
        for (const end of ['', '-wal', '-shm']) rmSync(join(folder, name + end), { force: true });
  }

  /** Resolves with the number of the last confirmed step, null if the process had crashed. */
  async function kill({ work, ms }: Kill): Promise<number | null> {
    const from = work === 'marks' || work === 'settings' ? confirmed[work] + 1 : 0;
    const address = service.newsAddress;
    const task: Task = { work, folder, address, gateway: gateway.address, key: KEY, from };
    const child = spawn(process.execPath, [CHILD, JSON.stringify(task)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let [said, crash] = ['', ''];
    child.stderr.setEncoding('utf8').on('data', (part: string) => (crash += part));
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      if (said === '') setTimeout(() => child.kill('SIGKILL'), ms);
      said += part;
    });
    const [, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    if (signal !== 'SIGKILL') throw new Error(`The process that did ${work} ended by itself: ${crash}`);
    const steps = said.split('\n').slice(1, -1);
    return steps.length === 0 ? null : Number(steps.at(-1));
  }

  return { clock, service, gateway, folder, confirmed, open, prepare, kill };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

function modelsOf(run: number) {
  return Array.from({ length: MODELS }, (_, n) => modelRecord(`made/model-${n}`, { name: `Model ${n} of ${run}` }));
}

function starsIn({ queries }: TestEngine): Set<unknown> {
  return new Set(idsIn(queries.userData.records(), 'star'));
}

async function killAndCheck(scene: Scene, kill: Kill): Promise<void> {
  const { confirmed, folder, gateway, service, clock } = scene;
  scene.prepare(kill.work);
  const last = await scene.kill(kill);
  if (last !== null && (kill.work === 'marks' || kill.work === 'settings')) confirmed[kill.work] = last;

  const room = scene.open();
  expect((await room.call('sync.status', {})).storageWarnings).toEqual([]);
  expectUserData(scene, room);
  clock.advance(BEYOND_CACHES);
  const resources = kill.work === 'backfill' ? undefined : (['selected', 'items', 'models'] as const);
  const synced = await room.call('sync.run', { urgency: 'all', ...(resources && { resources: [...resources] }) });
  expect(synced).toMatchObject({ ok: true });
  await expectEqualSets(room, service.control);
  const names = room.queries.models.list(gateway.address, 'models').lines.map(({ name }) => name);
  expect(names.toSorted()).toEqual(gateway.models.map(({ name }) => name).toSorted());
  await room.engine.close();
  expectSoundFiles(folder);
}

/** Everything that was confirmed is there; of what was begun, all or nothing. */
function expectUserData({ confirmed, folder }: Scene, room: TestEngine): void {
  const stars = starsIn(room);
  const marked = Array.from({ length: confirmed.marks + 1 }, (_, n) => `marked-${n}`);
  expect(marked.filter((id) => !stars.has(id))).toEqual([]);
  const next = `marked-${confirmed.marks + 1}`;
  if (stars.has(next)) confirmed.marks += 1;
  const settings = openSettingsStore({ folder, clock: systemClock, log: () => undefined }).get();
  if (confirmed.settings >= 0) {
    const saved = Number(settings.recentSearches[0]);
    expect([confirmed.settings, confirmed.settings + 1]).toContain(saved);
    confirmed.settings = saved;
  } else confirmed.settings = Number(settings.recentSearches[0] ?? -1);
  const file = join(folder, 'export.json');
  if (existsSync(file)) expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1 });
}

describe('the app that is killed at random moments of any work', () => {
  it(`loses nothing (${String(KILLS)} kills)`, async () => {
    let scene = await openScene();
    const kills = fc.record({ work: fc.constantFrom(...WORKS), ms: fc.nat({ max: 400 }) });
    const counts = new Map<Work, number>();
    await expectHeld(kills, KILLS, async (kill, alone) => {
      if (alone) scene = await openScene();
      else counts.set(kill.work, (counts.get(kill.work) ?? 0) + 1);
      await killAndCheck(scene, kill);
    });
    noteFigures({ what: 'kills', amount: KILLS, counts: Object.fromEntries(counts) });
    if (isWhole) expect(WORKS.filter((work) => (counts.get(work) ?? 0) < LEAST_OF_A_WORK)).toEqual([]);
    await scene.service.close();
  });
});
