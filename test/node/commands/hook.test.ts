import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isRunning } from '../../../src-main/core/files/atomic-write.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { writeSettings } from '../../support/test-server.ts';
import { startCli } from '../child.ts';
import { runHere } from '../shells.ts';

function scene(script = 'env > "$1"') {
  const [folder, place] = [temporaryFolder(), temporaryFolder()];
  const data = join(folder, 'data');
  const program = join(place, 'hook');
  writeFileSync(program, `#!/bin/sh\n${script}\n`, { mode: 0o700 });
  const run = (...args: string[]) => runHere(args, { BROADSHEET_DATA: data, PATH: `${place}:/usr/bin:/bin` });
  const ran = join(place, 'ran');
  const set = (...options: string[]) => run('hook', 'set', '--on', 'daily,search', ...options, '--', 'hook', ran);
  return { data, place, program, ran, run, set };
}

describe.skipIf(process.platform === 'win32')('broadsheet hook', () => {
  it('shows what will be run and saves nothing unasked', async () => {
    const { data, program, ran, run, set } = scene();
    const asked = await set();
    expect(asked).toMatchObject({ code: 2, err: expect.stringContaining('--yes') as string });
    expect(asked.out).toBe(`For        daily, search\nProgram    ${program}\nArgument   ${ran}\n`);
    expect(existsSync(data)).toBe(false);
    expect((await run('hook', 'show')).err).toBe('No hook is set.\n');
    expect((await run('hook', 'show', '--json')).out).toBe('null\n');
    expect((await run('hook', 'test')).code).toBe(1);
  });

  it('saves it for its owner alone, shows it, runs it for a test, and removes it', async () => {
    const { data, program, ran, run, set } = scene('env > "$1"; echo "for $BROADSHEET_EVENT"; printf "\\033[2J"');
    expect((await set('--yes')).out).toContain('Saved.');
    const file = join(data, 'hook.json');
    expect([statSync(file).mode & 0o777, statSync(data).mode & 0o777]).toEqual([0o600, 0o700]);
    const hook = { on: ['daily', 'search'], command: [program, ran] };
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(hook);
    expect(JSON.parse((await run('hook', 'show', '--json')).out)).toEqual({ ...hook, last: null });
    const { code, out } = await run('hook', 'test');
    expect([code, out.split('\n')[0]]).toEqual([0, 'for daily']);
    expect(out).toContain('Result     succeeded');
    expect(out).not.toContain('\u001b');
    expect(readFileSync(ran, 'utf8')).toContain('BROADSHEET_ID=2026-11-20\n');
    await run('hook', 'test', 'search');
    expect(readFileSync(ran, 'utf8')).toContain('BROADSHEET_EVENT=search\n');
    expect((await run('hook', 'remove')).out).toBe('Hook removed.\n');
    expect(existsSync(file)).toBe(false);
    expect((await run('hook', 'remove')).out).toBe('No hook is set.\n');
  });

  it('refuses other events, hidden characters, and programs that are missing or that others may change', async () => {
    const { program, run, set } = scene();
    for (const on of ['', 'daily,', 'update', 'daily,everything'])
      expect((await run('hook', 'set', '--on', on, '--', 'hook')).code).toBe(2);
    expect((await run('hook', 'set', '--', 'hook')).code).toBe(2);
    expect((await run('hook', 'set', '--on', 'daily')).code).toBe(2);
    for (const word of ['a\nb', 'a\u202eb', 'x'.repeat(5_000)])
      expect((await run('hook', 'set', '--on', 'daily', '--yes', '--', 'hook', word)).code).toBe(2);
    expect((await run('hook', 'set', '--on', 'daily', '--yes', '--', 'no-such-program')).err).toContain(
      'There is no program no-such-program in PATH.',
    );
    chmodSync(program, 0o722);
    expect(await set('--yes')).toMatchObject({ code: 1, err: expect.stringContaining('chmod go-w') as string });
  });

  it('says what went wrong in a test', async () => {
    const { run, set } = scene('echo oh >&2; exit 4');
    await set('--yes');
    expect(await run('hook', 'test')).toMatchObject({ code: 1, out: 'oh\nResult     ended with exit code 4\n' });
    expect(JSON.parse((await run('hook', 'test', '--json')).out)).toEqual({
      ok: false,
      outcome: 'ended with exit code 4',
      output: 'oh\n',
    });
  });

  it('runs after a sync that found something, and a failure of it is only told', async () => {
    const { data, run, set, ran, program } = scene();
    const service = await startDemoService({ clock: systemClock, content: { selected: 30, days: 3 } });
    onTestFinished(() => service.close());
    mkdirSync(data, { mode: 0o700 });
    await writeSettings(data);
    const sync = () => run('sync', '--all', '--news', service.newsAddress);
    await sync();
    await run('saved', 'add', 'Zebras', 'zebra', '--notify');
    await set('--yes');
    // Where it begins: what is saved already is no news.
    await sync();
    const publish = (title: string) => service.control.addItem({ title });
    const { id } = publish('A zebra "at" $(home)');
    expect(await sync()).toMatchObject({ code: 0, err: '' });
    const environment = readFileSync(ran, 'utf8');
    for (const line of [
      `TITLE=A zebra "at" $(home)`,
      'EVENT=search',
      'NAME=Zebras',
      `ID=${id}`,
      'COUNT=1',
      `DATA=${data}`,
    ])
      expect(environment).toContain(`BROADSHEET_${line}\n`);
    expect((await run('hook', 'show')).out).toMatch(/\nLast run {3}.*, search: succeeded\n$/);

    writeFileSync(program, '#!/bin/sh\necho no network; exit 1\n');
    publish('Another zebra');
    const failed = await sync();
    expect(failed.code).toBe(0);
    expect(failed.err).toContain('warn: The hook failed for search: ended with exit code 1: no network\n');
    expect((await run('hook', 'show')).out).toMatch(/\nLast run {3}.*, search: ended with exit code 1\n$/);

    await run('hook', 'remove');
    publish('A third zebra');
    expect((await sync()).err).toBe('');
  });

  it('runs once under `serve` for what a sync found there, and ends with it', async () => {
    const { data, run, set, ran, program } = scene('env >> "$1"');
    const service = await startDemoService({ clock: systemClock, content: { selected: 5, unselected: 0, days: 2 } });
    onTestFinished(() => service.close());
    mkdirSync(data, { mode: 0o700 });
    await writeSettings(data);
    const news = ['--news', service.newsAddress];
    await run('sync', '--all', ...news);
    await run('saved', 'add', 'Zebras', 'zebra', '--notify');
    await set('--yes');
    // Where it begins.
    await run('sync', '--all', ...news);
    const serving = startCli(['serve', '--data', data, ...news], { PATH: process.env['PATH'] ?? '' });
    onTestFinished(async () => {
      serving.child.kill('SIGKILL');
      await serving.ended;
    });
    await once(serving.child.stdout, 'data');
    const { id } = service.control.addItem({ title: 'A zebra' });
    // Through the server.
    expect(await run('sync', '--all', ...news)).toMatchObject({ code: 0, err: '' });
    await expect.poll(() => existsSync(join(data, 'hook-last.json')), { timeout: 60_000 }).toBe(true);
    const lines = readFileSync(ran, 'utf8').split('\n');
    for (const line of ['EVENT=search', 'TITLE=A zebra', 'NAME=Zebras', `ID=${id}`, 'COUNT=1', `DATA=${data}`])
      expect(lines.filter((one) => one === `BROADSHEET_${line}`)).toHaveLength(1);

    writeFileSync(program, '#!/bin/sh\necho $$ > "$1.pid"\nexec sleep 600\n');
    service.control.addItem({ title: 'Another zebra' });
    await run('sync', '--all', ...news);
    await expect
      .poll(() => existsSync(`${ran}.pid`) && readFileSync(`${ran}.pid`, 'utf8'), { timeout: 60_000 })
      .toMatch(/\n$/);
    const pid = Number(readFileSync(`${ran}.pid`, 'utf8'));
    expect(isRunning(pid)).toBe(true);
    serving.child.kill('SIGTERM');
    expect(await serving.ended).toMatchObject({ code: 0 });
    expect(isRunning(pid)).toBe(false);
    const last = JSON.parse(readFileSync(join(data, 'hook-last.json'), 'utf8')) as unknown;
    expect(last).toMatchObject({ event: 'search', ok: false, outcome: 'was ended, because Broadsheet was closed' });
  });
});
