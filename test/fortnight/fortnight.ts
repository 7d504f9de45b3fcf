import { onTestFinished } from 'vitest';
import { openTestApp, type TestApp } from '../support/test-app.ts';
import { allRows, differences, type Reader } from './compare.ts';
import { GATEWAY_KEY, makeGateway } from './gateway.ts';
import { listen } from './http.ts';
import { DAY, HOUR, MINUTE, random, type Random } from './random.ts';
import { makeService, type Breach } from './service.ts';
import { makeWeather, WHOLE, type Plan } from './troubles.ts';

/** A 1st, two Mondays and a month's end lie within the fortnight. */
const START = Date.parse('2026-11-20T02:30:00Z');
/** The first download takes several syncs. */
const SYNCS = 3;
const WATCHED_FOR = 45 * MINUTE;

export interface FortnightOptions {
  seed: number;
  /** Hours between rounds. */
  rhythm: number;
  plan: Plan;
}

export interface Fortnight {
  /** With the hours since the start. */
  differences: string[];
  breaches: Breach[];
  rounds: number;
  requests: number;
}

/** Lets the mirror live beside the strict service, and compares after each round of syncs. */
export async function liveThrough({ seed, rhythm, plan }: FortnightOptions): Promise<Fortnight> {
  const end = START + plan.days * DAY;
  // A shorter life is the beginning of the same one.
  const service = makeService(seed, START, START + WHOLE.days * DAY);
  const gateway = makeGateway(seed, START, START + WHOLE.days * DAY);
  const weather = makeWeather(START, service, gateway, plan);
  const pass = () => {
    const now = app.clock.now();
    service.advance(now);
    gateway.advance(now);
    return now;
  };
  const news = await listen(service.answer, pass);
  const models = await listen(gateway.answer, pass);
  onTestFinished(async () => {
    await news.close();
    await models.close();
  });
  const app = await openTestApp({
    start: new Date(START).toISOString(),
    content: { selected: 1, days: 1 },
    days: 1,
    address: () => news.origin,
    gateway: () => ({ address: models.origin, demo: false, from: 'option' }),
  });
  await app.call('gateway.setKey', { key: GATEWAY_KEY });

  const dice = random(seed + 2);
  const reader: Reader = { starred: new Map(), read: new Set(), notes: new Map() };
  const withReason = new Set<string>();
  const found: string[] = [];
  let rounds = 0;
  for (let at = START; at <= end; at += rhythm * HOUR) {
    app.clock.advance(at - app.clock.now());
    await syncFor(app, weather.isWatched(at) ? WATCHED_FOR : SYNCS * MINUTE);
    const now = pass();
    // One round after the service is well again, the mirror has to be, too.
    const [round, after] = [{ now, began: at, rhythm: rhythm * HOUR }, rhythm * HOUR];
    const known = {
      unsureSince: weather.unsureSince(at, after),
      mayLeave: weather.mayLeave(at, after),
      areListsWrong: weather.areListsWrong(at, after),
    };
    const comparison = { app, service, gateway, reader, withReason, ...round, ...known };
    const place = `${((now - START) / HOUR).toFixed(1)} h`;
    found.push(...(await differences(comparison)).map((line) => `${place}: ${line}`));
    await readALittle(app, dice, reader);
    rounds += 1;
  }
  return { differences: found, breaches: service.breaches, rounds, requests: service.requests };
}

async function syncFor(app: TestApp, ms: number): Promise<void> {
  const step = ms > 10 * MINUTE ? 5 * MINUTE : ms / SYNCS;
  for (const end = app.clock.now() + ms; app.clock.now() < end;) {
    await app.call('sync.run', { urgency: 'due' });
    app.clock.advance(step);
  }
}

/** Stars, reads and notes a few items at random, of any age, and follows a story. */
async function readALittle(app: TestApp, dice: Random, reader: Reader): Promise<void> {
  const rows = await allRows(app);
  const stories = (await app.call('stories.list', { which: 'all' })).stories.filter(({ hot }) => hot);
  if (stories.length > 0) await app.call('stories.follow', { publicId: dice.pick(stories).publicId, follow: true });
  for (let n = 0; n < 6 && rows.length > 0; n += 1) {
    const row = dice.pick(rows);
    if (row.links.original === null) continue;
    await app.call('items.mark', { ids: [row.id], mark: 'read' });
    reader.read.add(row.id);
    if (n > 3) continue;
    await app.call('items.mark', { ids: [row.id], mark: 'star' });
    reader.starred.set(row.id, { title: row.title, link: row.links.original });
    if (n > 0) continue;
    const text = `A note about ${row.title}`;
    await app.call('notes.set', { kind: 'item', id: row.id, text });
    reader.notes.set(row.id, text);
  }
}
