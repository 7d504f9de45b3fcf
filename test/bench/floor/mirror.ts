// The plainest program for the work: fetch over loopback, JSON.parse, a hand-written check, inserts in order of arrival, an index
// by time, and FTS5 with one token a Chinese character. No counters, no validators, no crash safety, no reader's state.
import Database from 'better-sqlite3';

export interface FloorItem {
  id: string;
  title: string;
  originalTitle: string | null;
  summary: string | null;
  source: { name: string };
  links: { original: string };
  publishedAt: string | null;
  discoveredAt: string;
  category: string | null;
  score: number | null;
}

interface Page {
  items: FloorItem[];
  cursor: string;
  nextPage: string | null;
}

export function openFloor(file: string): Database.Database {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma('cache_size = -65536');
  return database;
}

/** ms until all rows are stored and listed by time, and until all can be searched. */
export async function floorMirror(address: string, file: string): Promise<{ rows: number; searchable: number }> {
  const begun = performance.now();
  const database = openFloor(file);
  database.pragma('wal_autocheckpoint = 0');
  database.exec(`
    CREATE TABLE item (key INTEGER PRIMARY KEY, id TEXT UNIQUE, time INTEGER, title TEXT, original TEXT, summary TEXT,
                       source TEXT, url TEXT, published TEXT, category TEXT, score REAL, read INTEGER);
    CREATE VIRTUAL TABLE text USING fts5 (title, original, body, content='', contentless_delete=1, tokenize='ascii');
    INSERT INTO text (text, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
  `);
  const insert = database.prepare('INSERT INTO item VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)');
  for (let page: string | null = ''; page !== null;) {
    const next: Page = await get(`${address}/api/v1/selected/snapshot?limit=1000${page && `&page=${page}`}`);
    database.transaction(() => {
      for (const item of next.items) if (isItem(item)) insert.run(...columns(item));
    })();
    page = next.nextPage;
  }
  database.exec(
    'CREATE INDEX item_time ON item (time); CREATE INDEX item_unread ON item (category) WHERE read IS NULL;',
  );
  const rows = performance.now() - begun;
  index(database);
  const searchable = performance.now() - begun;
  database.close();
  return { rows, searchable };
}

/** In order of time, so that the newest matches come first without sorting. */
function index(database: Database.Database): void {
  const insert = database.prepare('INSERT INTO text (rowid, title, original, body) VALUES (?, ?, ?, ?)');
  const read = database.prepare<[number], Indexed>(
    'SELECT time, title, original, summary FROM item WHERE time > ? ORDER BY time LIMIT 1000',
  );
  for (let last = 0, rows = read.all(last); rows.length > 0; rows = read.all(last)) {
    database.transaction(() => {
      for (const row of rows) insert.run(row.time, tokens(row.title), tokens(row.original), tokens(row.summary));
    })();
    last = rows.at(-1)?.time ?? Infinity;
  }
}

export interface Indexed {
  time: number;
  title: string;
  original: string | null;
  summary: string | null;
}

export function tokens(text: string | null): string {
  return (text ?? '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\p{Script=Han}/gu, ' $& ');
}

async function get(address: string): Promise<Page> {
  return (await (await fetch(address)).json()) as Page;
}

export function isItem(item: FloorItem): boolean {
  return typeof item.id === 'string' && typeof item.title === 'string';
}

export function columns(item: FloorItem): (string | number | null)[] {
  const { id, title, originalTitle, summary, source, links, publishedAt, category, score } = item;
  const time = Date.parse(item.discoveredAt);
  return [id, time, title, originalTitle, summary, source.name, links.original, publishedAt, category, score];
}
