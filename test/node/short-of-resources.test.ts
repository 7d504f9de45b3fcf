import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { temporaryFolder } from '../support/folders.ts';
import { signIn } from '../support/sign-in.ts';
import { CLI } from '../support/built-node.ts';

const WAIT = { timeout: 30_000, interval: 100 };

/** Starts a Node host with this limit of file handles. */
async function serve(handles: number) {
  const service = await startDemoService({ clock: systemClock, content: { selected: 5, unselected: 0, days: 2 } });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  const args = ['serve', '--data', folder, '--news', service.newsAddress];
  const child = spawn('sh', ['-c', `ulimit -n ${handles}; exec "$0" "$@"`, process.execPath, CLI, ...args], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(async () => {
    const ended = child.exitCode === null && child.signalCode === null && once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const address = new URL((JSON.parse(line) as { url: string }).url);
  const headers = { ...(await signIn(address)).headers, 'content-type': 'application/json' };
  const call = async (method: string, args: object): Promise<unknown> => {
    const body = JSON.stringify(args);
    const options = { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) };
    return (await fetch(`${address.origin}/call/${method}`, options)).json();
  };
  return { call, folder, port: Number(address.port), child };
}

/** Connections that take a file handle each, until there are no more. */
async function exhaust(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  await Promise.allSettled(sockets.map((socket) => once(socket, 'connect')));
  return sockets;
}

const star = (id: string) => ({ ids: [id], mark: 'star' });

describe.skipIf(process.platform === 'win32')('an app that runs', () => {
  it('out of file handles continues when they are free again, and loses nothing', async () => {
    const { call, port, child } = await serve(90);
    await call('sync.run', { urgency: 'now' });
    expect(await call('items.mark', star('one'))).toMatchObject({ ok: true });
    const sockets = await exhaust(port, 200);
    // Calls that need no new handle may still work. The app takes the connections one by one.
    await expect
      .poll(() => call('data.backUp', {}), WAIT)
      .toMatchObject({ ok: false, error: { code: 'too_many_open_files' } });
    expect(await call('settings.set', { patch: { theme: 'dark' } })).toMatchObject({
      ok: false,
      error: { code: 'too_many_open_files' },
    });
    expect(await call('sync.run', { urgency: 'now' })).toMatchObject({ ok: expect.any(Boolean) as boolean });
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => call('items.mark', star('two')).catch(() => null), WAIT).toMatchObject({ ok: true });
    await expect.poll(() => call('data.backUp', {}).catch(() => null), WAIT).toMatchObject({ ok: true });
    expect(await call('sync.run', { urgency: 'now' })).toMatchObject({ ok: true });
    expect(child.exitCode).toBeNull();
    const { value } = (await call('data.export', {})) as { value: { text: string } };
    for (const id of ['"one"', '"two"']) expect(value.text).toContain(id);
    expect(await call('sync.status', {})).toMatchObject({ ok: true, value: { storageWarnings: [] } });
  });

  it('whose user.db another program locks says so, and continues when it is free', async () => {
    const { call, folder } = await serve(1_000);
    expect(await call('items.mark', star('one'))).toMatchObject({ ok: true });
    const other = new Database(join(folder, 'user.db'));
    other.exec('BEGIN IMMEDIATE');
    const refused = (await call('items.mark', star('two'))) as { ok: boolean; error?: { message: string } };
    expect(refused).toMatchObject({ ok: false, error: { code: expect.not.stringMatching('internal') as string } });
    expect(refused.error?.message).toMatch(/lock|another program|in use/i);
    other.exec('ROLLBACK');
    other.close();
    expect(await call('items.mark', star('two'))).toMatchObject({ ok: true });
  });
});
