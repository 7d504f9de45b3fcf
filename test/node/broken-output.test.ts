import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';
import { CLI } from '../support/built-node.ts';

/** Every write to it fails, as on a full disk. */
const FULL = '/dev/full';

/** Serves with a stderr that is broken from the start. The key without a service is a warning. */
function serve(data: string, stderr: 'pipe' | number) {
  const child = spawn(process.execPath, [CLI, 'serve', '--data', data, '--news', 'http://127.0.0.1:9'], {
    stdio: ['pipe', 'pipe', stderr],
    env: { ...process.env, BROADSHEET_DEBUG: '1', BROADSHEET_MODELS_KEY: 'sk-test-0123456789' },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stderr?.destroy();
  return child;
}

describe.skipIf(!existsSync(FULL))('a server whose stderr is', () => {
  it.each([
    ['closed', () => 'pipe' as const],
    ['full', () => openSync(FULL, 'w')],
  ])('%s goes on, and logs no failure of the log', async (_how, open) => {
    const data = temporaryFolder();
    const stderr = open();
    const child = serve(data, stderr);
    if (typeof stderr === 'number') closeSync(stderr);
    const ended = once(child, 'close') as Promise<[number | null]>;
    const first = await Promise.race([once(createInterface({ input: child.stdout! }), 'line'), ended]);
    const { url } = JSON.parse(String(first[0])) as { url: string };
    expect((await fetch(url, { redirect: 'manual' })).status).toBeLessThan(400);
    child.stdin!.end();
    expect((await ended)[0]).toBe(0);
    const log = readFileSync(join(data, 'logs', 'broadsheet.log'), 'utf8');
    expect(log).toContain('BROADSHEET_MODELS_KEY is ignored');
    expect(log).not.toMatch(/EPIPE|ENOSPC|Unexpected error/);
  });
});

describe.skipIf(!existsSync(FULL))('a command whose results', () => {
  it('cannot be written has failed, and says why', async () => {
    const full = openSync(FULL, 'w');
    const child = spawn(process.execPath, [CLI, 'status', '--data', temporaryFolder()], {
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    let err = '';
    child.stderr!.setEncoding('utf8').on('data', (text: string) => (err += text));
    const [code] = (await once(child, 'close')) as [number | null];
    expect({ code, err }).toEqual({
      code: 1,
      err: expect.stringMatching(/\nbroadsheet: The disk is full\..*\n$/) as string,
    });
  });
});
