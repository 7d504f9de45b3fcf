import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../support/folders.ts';

const START = fileURLToPath(new URL('../../scripts/start.mjs', import.meta.url));
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/**
 * Runs `npm start` with a shell script in Electron's place, until it has served the app to a browser or ended. `act` is
 * called once the script has printed "up".
 */
async function start(script: string, act: (pid: number) => void = () => undefined, args: string[] = []) {
  const electron = temporaryFolder();
  writeFileSync(join(electron, 'electron'), `#!/bin/sh\necho "$*" >> '${electron}/starts'\n${script}\n`);
  writeFileSync(join(electron, 'chrome-sandbox'), '');
  chmodSync(join(electron, 'electron'), 0o755);
  const data = temporaryFolder();
  for (const folder of [electron, data]) if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const child = spawn(process.execPath, [START, '--data', data, '--news', 'http://127.0.0.1:9', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // A process group, as a shell makes one.
    detached: true,
    // Electron does not run as root.
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    env: {
      PATH: process.env['PATH'],
      DISPLAY: process.env['DISPLAY'] ?? ':99',
      BROWSER: 'none',
      // The page may not have been built; the host serves its calls without it.
      BROADSHEET_SET_UP: '1',
      ELECTRON_OVERRIDE_DIST_PATH: electron,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
    if (text.includes('up\n') && child.pid) act(child.pid);
    // The app is served: enough.
    if (out.includes('Broadsheet is at')) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = (await once(child, 'close')) as [number | null];
  const starts = readFileSync(join(electron, 'starts'), 'utf8').trim().split('\n');
  return { code, served: out.includes('Broadsheet is at http://127.0.0.1:'), err, starts, electron };
}

describe.skipIf(process.platform !== 'linux')('npm start with an Electron that', () => {
  it('has no sandbox: gives the two commands that help, and serves the app', async () => {
    const { served, err, electron, starts } = await start(
      'echo "[1:FATAL:setuid_sandbox_host.cc(166)] The SUID sandbox helper binary was found, but is not configured correctly." >&2\nkill -TRAP $$',
    );
    expect(served).toBe(true);
    expect(err).toContain('Cannot open a window (this system does not let Electron use its sandbox).');
    expect(err).toContain(`    sudo chown root:root ${electron}/chrome-sandbox\n`);
    expect(err).toContain(`    sudo chmod 4755 ${electron}/chrome-sandbox\n`);
    // The app, then an empty one, and never without a sandbox.
    expect(starts).toHaveLength(2);
    expect(starts[1]).toMatch(/empty-app\.cjs$/);
    expect(starts.join()).not.toContain('no-sandbox');
    expect(existsSync(join(electron, 'chrome-sandbox'))).toBe(true);
  });

  it('gets switches of Chromium, which the browser that follows does not', async () => {
    const { served, starts } = await start('exit 1', undefined, ['--disable-gpu', '--ozone-platform=x11']);
    expect(served).toBe(true);
    expect(starts).toEqual([
      expect.stringMatching(/^--disable-gpu --ozone-platform=x11 \//),
      expect.stringMatching(/^--disable-gpu --ozone-platform=x11 .*empty-app\.cjs$/),
    ]);
  });

  it('ends itself because quitting took too long: that is no crash', async () => {
    const { code, served, err, starts } = await start(': > "$BROADSHEET_QUIT_FILE"\nkill -KILL $$');
    expect({ code, served, err, starts: starts.length }).toEqual({ code: 0, served: false, err: '', starts: 1 });
  });

  it('runs when Ctrl+C is pressed, and pressed again, gets one signal: Electron would die of the second', async () => {
    const count = `n=0; trap 'n=$((n+1))' INT TERM HUP
      echo up; while [ $n = 0 ]; do sleep 0.05; done
      sleep 0.5; echo "signals $n" >> "$(dirname "$0")/starts"`;
    const { code, served, starts } = await start(count, (pid) => {
      for (const signal of ['SIGINT', 'SIGINT'] as const) process.kill(-pid, signal);
    });
    expect({ code, served, signals: starts[1] }).toEqual({ code: 0, served: false, signals: 'signals 1' });
  });

  it('ends well is not examined', async () => {
    expect(await start('exit 0')).toMatchObject({ code: 0, served: false, err: '', starts: [expect.any(String)] });
  });
});
