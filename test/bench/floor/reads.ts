// Does the work of a running app in the simplest way, on the file of the floor: node test/bench/floor/reads.ts ADDRESS
// FILE
import { setImmediate as nextTurn } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { LoopSteps } from '../loop-steps.ts';
import { median, percentile, timed } from '../table.ts';
import { CATEGORY, PAGES, REPEATS, ROUNDS, SEARCHES, WORD, type Readings } from '../work.ts';
import { columns, isItem, openFloor, tokens, type FloorItem, type Indexed } from './mirror.ts';

const [address = '', file = ''] = process.argv.slice(2);
const ROW = 'SELECT * FROM item';

interface ChangesPage {
  cursor: string;
  hasMore: boolean;
  changes: { op: string; item: FloorItem }[];
}

const opening = await timed(() => {
  const database = openFloor(file);
  database.prepare(`${ROW} ORDER BY time DESC LIMIT 50`).all();
  unread(database);
  return Promise.resolve(database);
});
const database = opening.value;
// The first round is not counted.
for (const text of SEARCHES) search(database, text);
const steps = new LoopSteps();
const pages: number[] = [];
const searches: number[] = [];
const filtered: number[] = [];
for (let n = 0; n < REPEATS; n += 1) {
  // As Broadsheet's three lists.
  for (let list = 0; list < 3; list += 1) pages.push(...(await repeated(PAGES, page())));
  for (const text of SEARCHES) searches.push(...(await repeated(9, () => search(database, text))));
  for (const text of SEARCHES) filtered.push(...(await repeated(9, () => search(database, text, CATEGORY))));
}
const counts = await repeated(50, () => unread(database));
const counted = await repeated(9, () => count(WORD));
const step = steps.end();
const cursor = 'c0';
const etag = await idle(null);
const nothing: number[] = [];
for (let n = 0; n < ROUNDS; n += 1) nothing.push((await timed(() => idle(etag))).ms);
process.send?.('ready for changes');
process.once('message', () => {
  void timed(changes).then(({ ms }) => {
    const readings: Readings = {
      open: opening.ms,
      page: percentile(pages, 0.95),
      pageP99: percentile(pages, 0.99),
      pageWorst: Math.max(...pages),
      counts: median(counts),
      search: percentile(searches, 0.95),
      searchWorst: Math.max(...searches),
      filtered: percentile(filtered, 0.95),
      filteredWorst: Math.max(...filtered),
      count: median(counted),
      longestStep: step.longest,
      p99Step: step.p99,
      nothing: median(nothing),
      changes: ms,
      changesSearchable: ms,
    };
    database.close();
    process.send?.(readings, () => {
      process.disconnect();
    });
  });
});

function page(): () => void {
  const read = database.prepare<[number]>(`${ROW} WHERE time < ? ORDER BY time DESC LIMIT 50`);
  let before = Number.MAX_SAFE_INTEGER;
  return () => {
    const rows = read.all(before) as { time: number }[];
    before = rows.at(-1)?.time ?? Number.MAX_SAFE_INTEGER;
  };
}

function unread(opened: Database.Database): void {
  opened.prepare('SELECT category, count(*) FROM item WHERE read IS NULL GROUP BY category').all();
}

function search(opened: Database.Database, text: string, category?: string): void {
  const by = category === undefined ? '' : ' AND item.category = ?';
  opened
    .prepare(
      `SELECT item.* FROM text JOIN item ON item.time = text.rowid WHERE text MATCH ?${by} ORDER BY text.rowid DESC LIMIT 50`,
    )
    .all(match(text), ...(category === undefined ? [] : [category]));
}

function count(text: string): void {
  database.prepare('SELECT count(*) FROM text WHERE text MATCH ?').get(match(text));
}

/** The searches of the benchmark in FTS5's own words. */
function match(text: string): string {
  if (/[*"]| OR | -/.test(text))
    return text.replace(/ -(\w+)/, ' NOT $1').replace(/(\p{Script=Han}+)/gu, (run) => phrase(run));
  return phrase(text);
}

function phrase(text: string): string {
  return `"${tokens(text).trim()}"`;
}

async function idle(held: string | null): Promise<string> {
  const headers = held === null ? {} : { 'if-none-match': held };
  const response = await fetch(`${address}/api/v1/selected/changes?cursor=${cursor}&limit=100`, { headers });
  await response.arrayBuffer();
  return response.headers.get('etag') ?? '';
}

/** Stores what changed and indexes it again. */
async function changes(): Promise<void> {
  const before = database.prepare<[string], Indexed>('SELECT time, title, original, summary FROM item WHERE id = ?');
  const update = database.prepare(
    `UPDATE item SET time = ?, title = ?, original = ?, summary = ?, source = ?, url = ?, published = ?, category = ?,
       score = ? WHERE id = ?`,
  );
  const remove = database.prepare('DELETE FROM text WHERE rowid = ?');
  const insert = database.prepare('INSERT INTO text (rowid, title, original, body) VALUES (?, ?, ?, ?)');
  for (let at = cursor, hasMore = true; hasMore;) {
    const answer = await fetch(`${address}/api/v1/selected/changes?cursor=${at}&limit=100`);
    const changed = (await answer.json()) as ChangesPage;
    database.transaction(() => {
      for (const { item } of changed.changes) {
        const held = before.get(item.id);
        if (!held || !isItem(item)) continue;
        const [id, ...rest] = columns(item);
        update.run(...rest, id);
        remove.run(held.time);
        insert.run(held.time, tokens(item.title), tokens(item.originalTitle), tokens(item.summary));
      }
    })();
    ({ cursor: at, hasMore } = changed);
  }
}

async function repeated(times: number, work: () => void): Promise<number[]> {
  const taken: number[] = [];
  for (let n = 0; n < times; n += 1) {
    const begun = performance.now();
    work();
    taken.push(performance.now() - begun);
    // Lets the loop turn, so that the length of its steps is measured.
    await nextTurn();
  }
  return taken;
}

// The bench was stopped.
process.once('disconnect', () => process.exit());
