import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createReadingCore } from '../../../src-main/core/core.ts';
import { openHouse, type House } from '../../support/test-app.ts';
import { expectEqualSets } from '../../support/selected-set.ts';

const PAGE = 4_096;

/** The head of every page but the first is overwritten: the file opens, and whatever is read in it fails. */
function spoil(file: string): void {
  const bytes = readFileSync(file);
  for (let at = PAGE; at < bytes.length; at += PAGE) bytes.fill(0xff, at, at + 200);
  writeFileSync(file, bytes);
}

async function spoiledHouse(name: string, options: { thread?: boolean } = {}): Promise<House> {
  const house = await openHouse({ folder: 'temporary', ...options });
  await house.call('sync.run', { urgency: 'now' });
  await house.core.close();
  spoil(join(house.folder, name));
  return house;
}

describe.each(['mirror.db', 'search.db', 'journal.db', 'user.db', 'catalogue.db'])('a spoilt %s', (name) => {
  it.each([
    ['this thread', {}],
    ['a thread of its own', { thread: true }],
  ])('is made anew at the next start of an engine in %s', { timeout: 60_000 }, async (_, options) => {
    const house = await spoiledHouse(name, options);
    await house.reopen();
    expect(await house.call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    await expectEqualSets(house, house.service.control);
    const { notices } = await house.call('sync.status', {});
    // The search index is made again without a word.
    expect(notices.map(({ file }) => file)).toEqual(name === 'search.db' ? [] : [name]);
    for (const { setAsideAs } of notices) expect(readdirSync(house.folder)).toContain(setAsideAs);
  });

  it('is never called a defect by those who only read', async () => {
    const { ports } = await spoiledHouse(name);
    const read = async () => {
      const core = await createReadingCore(ports);
      const query = { scope: 'all', window: 'any', state: 'any', text: 'model' } as const;
      const replies = [
        await core.wire.call('sync.status', {}),
        await core.wire.call('items.page', { query, limit: 5 }),
      ];
      await core.close();
      for (const reply of replies) if (!reply.ok) expect(reply.error.code).toBe('data_unreadable');
    };
    await read().catch((error: unknown) => expect(error).toMatchObject({ code: 'data_unreadable' }));
  });
});
