import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { ItemsQuery } from '../../src-main/contract/model/item.ts';
import type { Core } from '../../src-main/core/types.ts';
import { ask, openTestApp } from './test-app.ts';
import { median, percentile, timed, type Row } from './table.ts';

const ALL: ItemsQuery = { scope: 'selected', window: 'any', state: 'any' };
const SEARCHES = [
  '模',
  '推理',
  '推理模型',
  'reasoning',
  '"new reasoning model"',
  'model -price',
  'agent OR 代理',
  'benchm*',
];

/** What a running app does, on a folder that holds the mirror already. */
export async function runningApp(address: string, folder: string, service: ChildProcess): Promise<Row[]> {
  const opened = await timed(async () => openTestApp(address, folder));
  const core = opened.value;
  try {
    const first = await timed(async () => {
      await ask(core, 'items.page', { query: ALL, limit: 50 });
      await ask(core, 'counts.get', {});
    });
    return [
      { work: 'open (engine in its thread, TypeScript without a build)', ms: opened.ms },
      { work: 'first 50 rows and all unread counts', ms: first.ms },
      { work: 'a page of 50 rows, any filter, 95th of 100', ms: percentile(await pages(core), 0.95) },
      { work: 'unread counts of all views', ms: median(await repeated(50, () => ask(core, 'counts.get', {}))) },
      ...(await searches(core)),
      { work: 'nothing changed', ms: median(await repeated(9, () => round(core))) },
      { work: '1,000 changes', ms: await changes(core, service) },
    ];
  } finally {
    await core.close();
  }
}

async function searches(core: Core): Promise<Row[]> {
  const times: number[] = [];
  for (const text of SEARCHES) {
    times.push(...(await repeated(5, () => ask(core, 'items.page', { query: { ...ALL, text }, limit: 50 }))));
  }
  return [
    { work: 'search, newest 50 with snippets, 95th', ms: percentile(times, 0.95) },
    { work: 'search, worst', ms: Math.max(...times) },
  ];
}

async function pages(core: Core): Promise<number[]> {
  const times: number[] = [];
  for (const state of ['any', 'unread'] as const) {
    let cursor: string | undefined;
    for (let n = 0; n < 50; n += 1) {
      const at = cursor;
      const { ms, value } = await timed(() =>
        ask(core, 'items.page', { query: { ...ALL, state }, limit: 50, ...(at !== undefined && { cursor: at }) }),
      );
      times.push(ms);
      cursor = value.next ?? undefined;
    }
  }
  return times;
}

async function changes(core: Core, service: ChildProcess): Promise<number> {
  const edited = once(service, 'message');
  service.send(1000);
  await edited;
  return (await timed(() => round(core))).ms;
}

function round(core: Core): Promise<unknown> {
  return ask(core, 'sync.run', { urgency: 'now', resources: ['selected'] });
}

async function repeated(times: number, work: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) taken.push((await timed(work)).ms);
  return taken;
}
