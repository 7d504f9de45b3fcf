import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StoredItem } from '../../src-main/contract/model/item.ts';
import { pagesOf } from '../support/database-pages.ts';
import { EVERYTHING, expectEqualSets, rowsOf } from '../support/selected-set.ts';
import { saveApp, type TestApp } from '../support/test-app.ts';

const DAY = 86_400_000;
const PAGE = 4_096;

const syncAll = ({ call }: Pick<TestApp, 'call'>) => call('sync.run', { urgency: 'now' });
const starred = (app: TestApp) => rowsOf(app, { ...EVERYTHING, state: 'starred' });

/** Picks the fields that are shown, except for mentions of models, which follow in the background. */
function shown({ title, summary, links, source, publishedAt, state }: StoredItem) {
  return { title, summary, links, source, publishedAt, state };
}

/** A reader starred one item and noted another, both unselected. The service no longer lists them after three weeks. */
const savedApp = saveApp({ content: { selected: 40, unselected: 400, days: 5 } }, async (app) => {
  await syncAll(app);
  const [one, other] = keptIn(app);
  await app.call('items.mark', { ids: [one], mark: 'star' });
  await app.call('notes.set', { kind: 'item', id: other, text: 'Compare with the paper' });
});

function keptIn({ service }: TestApp): [string, string] {
  const [one, other] = service.control.allItems().filter(({ selected }) => !selected);
  return [one?.id ?? '', other?.id ?? ''];
}

async function openScene() {
  const app = await savedApp();
  const kept = keptIn(app);
  const read = async () => Promise.all(kept.map(async (id) => shown(await app.call('items.get', { id }))));
  const before = await read();
  app.clock.advance(21 * DAY);
  return { app, before, read };
}

/** Overwrites the pages of tables and indexes in the closed mirror, and has it set aside as after damage that was found. */
async function damage({ core, folder }: TestApp, prefixes: readonly string[]): Promise<void> {
  await core.close();
  const file = join(folder, 'mirror.db');
  const bytes = readFileSync(file);
  const pages = prefixes.flatMap((prefix) => pagesOf(prefix, file));
  for (const page of pages) bytes.fill(0xa5, (page - 1) * PAGE, page * PAGE);
  expect(pages.length > 0).toBe(prefixes.length > 0);
  writeFileSync(file, bytes);
  writeFileSync(`${file}-damaged`, '');
}

describe('a damaged mirror that is set aside', () => {
  it.each([
    ['what nothing here reads', []],
    ['the index of ids', ['sqlite_autoindex_item_']],
    ['reports and topics', ['document', 'ranking']],
  ])('leaves starred and noted items to the new one if it was damaged in %s', async (_, prefixes) => {
    const { app, before, read } = await openScene();
    await damage(app, prefixes);
    await app.reopen();
    expect(await read()).toEqual(before);
    await syncAll(app);
    await expectEqualSets(app, app.service.control);
    expect((await starred(app)).map(shown)).toEqual([before[0]]);
    expect(await read()).toEqual(before);
    // Nothing is taken over again at later starts.
    await app.reopen();
    expect(await read()).toEqual(before);
    expect((await app.call('health.check', {})).integrity).toMatchObject({ sound: true });
  });

  it.each([
    ['is all rubbish', () => Buffer.alloc(40 * PAGE, 0xa5)],
    ['was cut', (bytes: Buffer) => bytes.subarray(0, 20 * PAGE)],
    ['has rubbish in every second page', (bytes: Buffer) => spoilt(bytes)],
  ])('is followed by a whole one if the file %s', async (_, spoil) => {
    const { app } = await openScene();
    await damage(app, []);
    const file = join(app.folder, 'mirror.db');
    writeFileSync(file, spoil(readFileSync(file)));
    await app.reopen();
    expect(await syncAll(app)).toMatchObject({ ok: true });
    await expectEqualSets(app, app.service.control);
    expect((await app.call('health.check', {})).integrity).toMatchObject({ sound: true });
  });
});

/** Rows whose lengths, types and texts are wrong, in pages that look whole. */
function spoilt(bytes: Buffer): Buffer {
  const pages = Math.floor(bytes.length / PAGE);
  for (let page = 1; page < pages; page += 2) {
    for (let at = page * PAGE + 200; at < (page + 1) * PAGE; at += 7) bytes[at] = (at * 31) % 256;
  }
  return bytes;
}
