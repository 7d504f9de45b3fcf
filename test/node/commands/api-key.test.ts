import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, describe } from 'vitest';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { runHere } from '../shells.ts';

const KEY = 'mgmt-0b5c7d9e1f3a';

async function scene() {
  const service = await startDemoService({
    clock: fakeClock('2026-03-18T06:30:00Z'),
    content: { selected: 5, days: 2 },
    modelsKey: KEY,
  });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  const environment = { BROADSHEET_DATA: folder };
  const run = (args: string[], given = '', more = {}) => runHere(args, { ...environment, ...more }, given);
  await run(['settings', 'set', 'news-address', service.newsAddress]);
  await run(['settings', 'set', 'models-address', service.modelsAddress]);
  return { service, folder, run, file: join(folder, 'key-plain.json') };
}

describe('the key of the gateway', () => {
  it('is read from standard input, tested, saved for its owner, used by sync, and removed', async () => {
    const { service, run, folder, file } = await scene();
    const { code, out, err } = await run(['settings', 'set', 'api-key'], `${KEY}\n`);
    expect([code, out]).toEqual([0, `apiKey: …${KEY.slice(-4)}, sent only to ${service.modelsAddress}\n`]);
    expect(err).toContain('not encrypted');
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    for (const name of readdirSync(folder).filter((one) => one !== 'key-plain.json' && /json|db/.test(one))) {
      expect(readFileSync(join(folder, name)).includes(KEY), name).toBe(false);
    }
    const synced = await run(['sync', '--json']);
    expect(JSON.parse(synced.out)).toMatchObject({ ok: true, resources: { models: { status: 'ok' } } });
    const listed = await run(['settings', 'list', '--json']);
    expect(listed.out).toContain('{"name":"apiKey","value":{"lastFour":"1f3a","origin":');
    expect(listed.out).not.toContain(KEY);
    expect((await run(['settings', 'unset', 'api-key'])).out).toBe('apiKey: none\n');
    expect((await run(['settings', 'get', 'api-key'])).out).toBe('none\n');
    const without = JSON.parse((await run(['sync', '--all', '--json'])).out) as object;
    expect(without).toMatchObject({ resources: { models: { error: { code: 'unauthorized' } } } });
  });

  it('is not saved if the gateway refuses it, and the one before stays', async () => {
    const { run, file } = await scene();
    await run(['settings', 'set', 'api-key'], KEY);
    const { code, out, err } = await run(['settings', 'set', 'api-key'], 'not-a-management-key');
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('The key was not saved.');
    expect(err).not.toContain('not-a-management-key');
    expect(readFileSync(file, 'utf8')).toContain(KEY);
  });

  it('is saved untested if the gateway cannot be reached', async () => {
    const { service, run, file } = await scene();
    await service.close();
    const { code, err } = await run(['settings', 'set', 'api-key'], KEY);
    expect(code).toBe(0);
    expect(err).toContain('could not be tested');
    expect(readFileSync(file, 'utf8')).toContain(KEY);
  });

  it('is never an argument, and its mistakes are not printed', async () => {
    const { run } = await scene();
    const argument = await run(['settings', 'set', 'api-key', KEY]);
    expect(argument.code).toBe(2);
    expect(argument.err).toContain('reads the key from standard input');
    const spaced = await run(['settings', 'set', 'api-key'], 'two words');
    expect(spaced.code).toBe(2);
    const long = await run(['settings', 'set', 'api-key'], 'x'.repeat(600));
    expect(long.code).toBe(2);
    const none = await run(['settings', 'set', 'api-key']);
    expect(none.err).toContain('there is no key on standard input');
    expect(argument.err + spaced.err + long.err).not.toMatch(/mgmt|two words|xxx/);
  });

  it('needs a gateway, and that is said', async () => {
    const folder = temporaryFolder();
    const { code, err } = await runHere(['settings', 'set', 'api-key'], { BROADSHEET_DATA: folder }, KEY);
    expect(code).toBe(1);
    expect(err).toMatch(/built-in models need no key|settings set models-address/);
  });

  it('is named if its file cannot be used, without its content', async () => {
    const { run, file } = await scene();
    writeFileSync(file, `{"key":"${KEY}"`);
    const { code, out, err } = await run(['settings', 'get', 'api-key']);
    expect([code, out]).toEqual([0, 'none\n']);
    expect(err).toContain('settings set api-key');
    expect(err).not.toContain(KEY);
  });

  it('of the environment wins for a run', async () => {
    const { run, file } = await scene();
    await run(['settings', 'set', 'api-key'], KEY);
    const { err } = await run(['sync', '--all', '--json'], '', { BROADSHEET_MODELS_KEY: 'another-key' });
    expect(err).not.toContain(KEY);
    expect(readFileSync(file, 'utf8')).toContain(KEY);
  });
});
