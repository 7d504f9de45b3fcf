import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { savedSession } from '../../../src-main/node/serving.ts';
import { startNews, startServe } from '../../hosts/node-host.ts';
import { checkAtom, checkJsonFeed } from '../../support/feeds.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { runHere } from '../shells.ts';

interface Shown {
  feed: string;
  name: string | null;
  atom: string;
  json: string;
}

function home(folder = join(temporaryFolder(), 'data')) {
  const run = (...args: string[]) => runHere([...args, '--data', folder]);
  const shown = async (...args: string[]): Promise<Shown[]> => {
    const { code, out, err } = await run(...args, '--json');
    expect({ args, code, err: code === 0 ? '' : err }).toEqual({ args, code: 0, err: '' });
    return jsonLines<Shown>(out);
  };
  return { folder, run, shown };
}

describe('feeds', () => {
  it('are added and revoked while `serve` runs, at an address that stays', async () => {
    const { folder, run, shown } = home();
    const news = await startNews();
    await run('sync', '--all', '--news', news);
    await run('saved', 'add', 'Everything', 'score:>=0');
    const [early] = await shown('feeds', 'add', 'daily');
    expect(early?.atom).toMatch(/^http:\/\/127\.0\.0\.1:7311\/feed\/[\w-]{43}\/atom\.xml$/);
    // Another program has that port, or a test beside this one.
    const first = await startServe(folder, news);
    const [daily] = await shown('feeds', 'list');
    expect(new URL(daily?.atom ?? '').port).toBe(first.address.port);
    expect(checkAtom(await (await fetch(daily?.atom ?? '')).text()).entries.length).toBeGreaterThan(0);
    const [saved] = await shown('feeds', 'add', 'saved', 'everything');
    expect(saved).toMatchObject({ feed: 'saved', name: 'Everything' });
    expect(checkJsonFeed(await (await fetch(saved?.json ?? '')).text()).items).toHaveLength(5);
    expect(await shown('feeds', 'add', 'saved', 'Everything')).toEqual([saved]);
    await run('saved', 'change', 'Everything', '--name', 'All');
    expect((await shown('feeds', 'list')).map(({ name }) => name)).toEqual([null, 'All']);

    first.child.kill('SIGTERM');
    await first.ended;
    await startServe(folder, news);
    expect((await fetch(saved?.atom ?? '')).status).toBe(200);
    expect(await run('feeds', 'revoke', 'saved', 'All')).toMatchObject({
      code: 0,
      out: 'Revoked: its addresses no longer work.\n',
    });
    const refused = await fetch(saved?.atom ?? '');
    expect([refused.status, await refused.text()]).toEqual([404, 'There is no such feed.\n']);
    expect((await fetch(daily?.atom ?? '')).status).toBe(200);
    const [again] = await shown('feeds', 'add', 'saved', 'All');
    expect(again?.atom).not.toBe(saved?.atom);
  });

  it('have new addresses if their port is taken, which `serve` says', async () => {
    const { folder, run, shown } = home();
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { port: number };
    await shown('feeds', 'add', 'weekly');
    writeFileSync(join(folder, 'session.json'), JSON.stringify({ ...savedSession(folder), port }), { mode: 0o600 });
    const { child, ended, address } = await startServe(folder, await startNews());
    const [weekly] = await shown('feeds', 'list');
    expect(new URL(weekly?.atom ?? '').port).toBe(address.port);
    expect((await fetch(weekly?.atom ?? '')).status).toBe(200);
    child.kill('SIGTERM');
    expect((await ended).err).toContain('Feeds have new addresses');
    expect((await run('feeds', 'list')).out).toContain(`:${address.port}/feed/`);
  });

  it('are told as text, and what cannot be is named', async () => {
    const { folder, run } = home();
    expect(await run('feeds', 'list')).toEqual({ code: 0, out: '', err: 'No feeds: see feeds add --help.\n' });
    const { out, err } = await run('feeds', 'add', 'daily');
    expect(out).toMatch(/^daily\n {2}http:\S+\/atom\.xml\n {2}http:\S+\/feed\.json\n$/);
    expect(err).toBe('It can be read while `broadsheet serve` runs.\n');
    expect((await run('feeds', 'list')).out).toBe(out);
    const cases: [args: string[], code: number, err: string][] = [
      [['add', 'saved'], 2, "'saved' needs the name of a saved search"],
      [['add', 'daily', 'x'], 2, "'daily' takes no name"],
      [['add', 'yearly'], 2, 'Allowed choices are'],
      [['add', 'saved', 'x'], 1, 'Nothing saved yet'],
      [['revoke', 'weekly'], 1, 'There is no such feed: see feeds list.'],
      [['revoke', 'saved', 'x'], 1, 'There is no such feed: see feeds list.'],
    ];
    for (const [args, code, text] of cases) {
      const ran = await run('feeds', ...args);
      expect([args, ran.code, ran.out]).toEqual([args, code, '']);
      expect(ran.err).toContain(text);
    }
    if (process.platform === 'win32') return;
    const file = join(folder, 'feeds', 'daily.json');
    const before = readFileSync(file, 'utf8');
    chmodSync(file, 0o644);
    expect((await run('feeds', 'list')).err).toContain('feeds/daily.json. Add the feed again.');
    await run('feeds', 'add', 'daily');
    expect(readFileSync(file, 'utf8')).not.toBe(before);
  });
});
