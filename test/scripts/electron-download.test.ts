import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { zipSync } from 'fflate';
import { describe, expect, it, onTestFinished } from 'vitest';
import electron from '../../node_modules/electron/package.json' with { type: 'json' };
import { temporaryFolder } from '../support/folders.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

/** In Electron's place: a program that ends at once. */
const ZIP = zipSync({
  electron: [Buffer.from('#!/bin/sh\necho "a window"\n'), { os: 3, attrs: (0o100_755 << 16) >>> 0 }],
  version: Buffer.from(electron.version),
});

/** Makes a project that is like this one, but without Electron's program. */
function projectWithoutElectron(): string {
  const project = temporaryFolder();
  for (const name of ['scripts', 'package.json', 'package-lock.json'])
    cpSync(join(PROJECT, name), join(project, name), { recursive: true });
  symlinkSync(join(PROJECT, 'out'), join(project, 'out'));
  const modules = join(project, 'node_modules');
  mkdirSync(join(modules, 'electron'), { recursive: true });
  for (const name of readdirSync(join(PROJECT, 'node_modules')).filter((each) => !/^\.|^electron$/.test(each)))
    symlinkSync(join(PROJECT, 'node_modules', name), join(modules, name));
  for (const name of ['package.json', 'install.js'])
    cpSync(join(PROJECT, 'node_modules/electron', name), join(modules, 'electron', name));
  const hash = createHash('sha256').update(ZIP).digest('hex');
  const checksums = { [`electron-v${electron.version}-${process.platform}-${process.arch}.zip`]: hash };
  writeFileSync(join(modules, 'electron/checksums.json'), JSON.stringify(checksums));
  return project;
}

async function mirror(answer: RequestListener) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close };
}

interface Start {
  out: string;
  err: string;
}

/** Runs `npm start` there until it ends, or until `isEnough`, which Ctrl+C ends. */
async function start(project: string, address: string, isEnough: (seen: Start) => boolean): Promise<Start> {
  const data = temporaryFolder();
  const modules = join(project, 'node_modules');
  const written = [data, project, modules, join(modules, '.cache'), join(modules, 'electron')];
  for (const folder of written.filter((each) => existsSync(each))) if (isRoot) chownSync(folder, NOBODY, NOBODY);
  const args = ['--data', data, '--news', 'http://127.0.0.1:9'];
  const child = spawn(process.execPath, [join(project, 'scripts/start.mjs'), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    // Electron does not run as root.
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
    env: {
      PATH: process.env['PATH'],
      DISPLAY: ':99',
      BROWSER: 'none',
      BROADSHEET_SET_UP: '1',
      ELECTRON_MIRROR: address,
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const seen: Start = { out: '', err: '' };
  const add = (stream: keyof Start) => (text: string) => {
    seen[stream] += text;
    if (isEnough(seen)) child.kill('SIGINT');
  };
  child.stdout.setEncoding('utf8').on('data', add('out'));
  child.stderr.setEncoding('utf8').on('data', add('err'));
  await once(child, 'close');
  return seen;
}

const never = () => false;
const isServed = ({ out }: Start) => out.includes('Broadsheet is at http://127.0.0.1:');

describe.skipIf(process.platform !== 'linux')('npm start without Electron', () => {
  it('downloads it from the mirror and opens a window, also after unpacking was interrupted', async () => {
    const project = projectWithoutElectron();
    const dist = join(project, 'node_modules/electron/dist');
    mkdirSync(dist);
    // Half of a program, as an interrupted start left it.
    writeFileSync(join(dist, 'electron'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    writeFileSync(join(dist, 'version'), electron.version);
    for (const file of [dist, join(dist, 'electron'), join(dist, 'version')])
      if (isRoot) chownSync(file, NOBODY, NOBODY);
    const { address } = await mirror((_request, response) => response.end(ZIP));
    expect(await start(project, address, never)).toEqual({
      out: 'a window\n',
      err: expect.stringContaining('Downloading Electron') as string,
    });
    // From now on without a download.
    expect(await start(project, address, never)).toEqual({ out: 'a window\n', err: '' });
  });

  it('names the cause and the variable for a mirror if it cannot, and serves the app', async () => {
    const { address, close } = await mirror(() => undefined);
    close();
    const seen = await start(projectWithoutElectron(), address, isServed);
    expect(isServed(seen)).toBe(true);
    expect(seen.err).toContain(
      'Cannot open a window (Electron cannot be downloaded: the connection was refused (ECONNREFUSED)).',
    );
    expect(seen.err).toContain('ELECTRON_MIRROR');
    expect(seen.err).not.toContain('done in');
  });

  it('serves the app from a folder that it cannot write', async () => {
    const project = projectWithoutElectron();
    writeFileSync(join(project, 'node_modules/.cache'), 'a file in the way');
    const seen = await start(project, 'http://127.0.0.1:9/', isServed);
    expect(isServed(seen)).toBe(true);
    expect(seen.err).toContain('Cannot open a window (Electron cannot be downloaded: ');
  });

  it('serves the app during a download that was too slow before, and says when it is complete', async () => {
    const project = projectWithoutElectron();
    mkdirSync(join(project, 'node_modules/.cache/electron'), { recursive: true });
    writeFileSync(join(project, 'node_modules/.cache/electron/slow'), '');
    const cache = join(project, 'node_modules/.cache/electron');
    if (isRoot) for (const file of [cache, join(cache, 'slow')]) chownSync(file, NOBODY, NOBODY);
    let complete = () => undefined as unknown;
    const { address } = await mirror((_request, response) => {
      response.setHeader('Content-Length', ZIP.length);
      response.write(ZIP.subarray(0, 100));
      complete = () => response.end(ZIP.subarray(100));
    });
    const seen = await start(project, address, (so) => {
      if (isServed(so)) complete();
      return isServed(so) && so.err.includes('Electron has been downloaded.');
    });
    expect(seen.err).toContain('Cannot open a window (Electron is still being downloaded).');
    expect(seen.err).toContain('Press Ctrl+C and run `npm start` again');
    expect(existsSync(join(cache, 'slow'))).toBe(false);
    expect(readdirSync(cache).filter((name) => name.startsWith('download-'))).toEqual([]);
  });
});
