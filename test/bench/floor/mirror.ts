// The plainest program for the work: fetch over loopback, JSON.parse, a hand-written check, inserts in batches, and FTS5
// with one token a Chinese character. No counters, no validators, no crash safety, no reader's state.
import Database from 'better-sqlite3';

interface Page {
  items: Record<string, unknown>[];
  nextPage: string | null;
}

/** ms until all rows are stored, and until all can be searched. */
export async function floorMirror(address: string, file: string): Promise<{ rows: number; searchable: number }> {
  const begun = performance.now();
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = NORMAL');
  database.pragma('cache_size = -65536');
  database.pragma('wal_autocheckpoint = 0');
  database.exec(`
    CREATE TABLE item (key INTEGER PRIMARY KEY, id TEXT UNIQUE, title TEXT, summary TEXT, source TEXT, url TEXT,
                       published TEXT, discovered TEXT, category TEXT, score REAL);
    CREATE VIRTUAL TABLE text USING fts5 (title, body, content='', contentless_delete=1, tokenize='ascii');
    INSERT INTO text (text, rank) VALUES ('automerge', 0), ('crisismerge', 1000);
  `);
  const insert = database.prepare('INSERT INTO item VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
  let key = 0;
  for (let page: string | null = ''; page !== null;) {
    const next: Page = await get(`${address}/api/v1/selected/snapshot?limit=1000${page && `&page=${page}`}`);
    database.transaction(() => {
      for (const item of next.items) if (isItem(item)) insert.run((key += 1), ...columns(item));
    })();
    page = next.nextPage;
  }
  const rows = performance.now() - begun;
  index(database);
  const searchable = performance.now() - begun;
  database.close();
  return { rows, searchable };
}

function index(database: Database.Database): void {
  const insert = database.prepare('INSERT INTO text (rowid, title, body) VALUES (?, ?, ?)');
  const read = database.prepare<[number], { key: number; title: string; summary: string }>(
    'SELECT key, title, summary FROM item WHERE key > ? ORDER BY key LIMIT 1000',
  );
  for (let last = 0, rows = read.all(last); rows.length > 0; rows = read.all(last)) {
    database.transaction(() => {
      for (const row of rows) insert.run(row.key, tokens(row.title), tokens(row.summary));
    })();
    last = rows.at(-1)?.key ?? Infinity;
  }
}

function tokens(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/\p{Script=Han}/gu, ' $& ');
}

async function get(address: string): Promise<Page> {
  return (await (await fetch(address)).json()) as Page;
}

function isItem(item: Record<string, unknown>): boolean {
  return typeof item['id'] === 'string' && typeof item['title'] === 'string';
}

function columns(item: Record<string, unknown>): (string | number | null)[] {
  const source = item['source'] as { name: string };
  const links = item['links'] as { original: string };
  const rest = ['publishedAt', 'discoveredAt', 'category', 'score'].map((name) => item[name] as string | number | null);
  return [
    item['id'] as string,
    item['title'] as string,
    item['summary'] as string,
    source.name,
    links.original,
    ...rest,
  ];
}
