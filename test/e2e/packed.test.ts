import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createPackage, extractFile } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { writeSettings } from '../support/test-server.ts';
import { titled, whyNoPage } from './support/chromium.ts';
import { WAIT } from './support/open-page.ts';
import { programsIn, startPacked, tamper, type PackedProgram, type Started } from './support/packed-app.ts';

const PAGE = 'app://broadsheet/index.html';
const FUSES: [FuseV1Options, '0' | '1'][] = [
  [FuseV1Options.RunAsNode, '0'],
  [FuseV1Options.EnableNodeOptionsEnvironmentVariable, '0'],
  [FuseV1Options.EnableNodeCliInspectArguments, '0'],
  [FuseV1Options.OnlyLoadAppFromAsar, '1'],
  [FuseV1Options.EnableEmbeddedAsarIntegrityValidation, '1'],
  [FuseV1Options.GrantFileProtocolExtraPrivileges, '0'],
];

/** Where the workflow installers.yml packed or installed the app. */
const folder = process.env['BROADSHEET_TEST_PACKED'];
const programs = folder === undefined ? [] : programsIn(resolve(folder), process);
const unpacked = programs.filter((each): each is PackedProgram & { archive: string } => each.archive !== null);

let data: string;
let app: Started | undefined;
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'broadsheet-packed-'));
  await writeSettings(data);
});
afterEach(async () => {
  await app?.stop();
  app = undefined;
  await rm(data, { recursive: true, force: true, maxRetries: 5 });
});

async function start({ path }: PackedProgram): Promise<Started> {
  app = await startPacked(path, { env: { BROADSHEET_DATA: data }, page: PAGE });
  return app;
}

const call = (method: string) => `broadsheet.call('${method}', {})`;

describe.skipIf(folder === undefined)('what was packed (skipped: BROADSHEET_TEST_PACKED names no folder)', () => {
  it('is there', () => {
    expect(programs).not.toEqual([]);
  });

  it.each(unpacked)('$name has its fuses', async ({ path }) => {
    const wire = await getCurrentFuseWire(path);
    for (const [fuse, state] of FUSES) expect(wire[fuse], FuseV1Options[fuse]).toBe(state.charCodeAt(0));
  });

  it.each(programs)('$name starts from its archive', async (program) => {
    const { evaluate } = await start(program);
    expect(await evaluate(call('app.capabilities'))).toMatchObject({
      ok: true,
      value: { host: 'electron', version: packageJson.version, unsandboxed: false },
    });
    expect(await evaluate(call('data.folder'))).toEqual({ ok: true, value: { folder: data } });
  });

  it.each(programs)('$name fetches and stores news: engine worker and native module', async (program) => {
    const { evaluate } = await start(program);
    const rows = () => evaluate(`document.querySelectorAll('[role="option"], [role="row"], article').length`);
    await expect.poll(rows, { timeout: 60_000 }).toBeGreaterThan(0);
    expect(await evaluate(call('counts.get'))).toMatchObject({
      ok: true,
      value: { all: { total: expect.any(Number) as number } },
    });
  });

  // Electron compares an archive with the hashes in the program on macOS and Windows only ("ASAR Integrity").
  it.skipIf(process.platform === 'linux').each(unpacked)('$name refuses a changed archive', async (program) => {
    const undo = tamper(program.archive, ['out', 'main', 'main.js']);
    try {
      await expect(start(program)).rejects.toThrow(/The program ended/);
    } finally {
      undo();
    }
  });
});

describe('what starts packed programs', () => {
  it.each([
    ['linux', 'x64', 'linux-unpacked/broadsheet', 'linux-unpacked/resources/app.asar'],
    ['linux', 'arm64', 'linux-arm64-unpacked/broadsheet', 'linux-arm64-unpacked/resources/app.asar'],
    ['linux', 'x64', 'broadsheet', 'resources/app.asar'],
    ['linux', 'x64', 'Broadsheet-0.1.0.AppImage', null],
    [
      'darwin',
      'arm64',
      'mac-arm64/Broadsheet.app/Contents/MacOS/Broadsheet',
      'mac-arm64/Broadsheet.app/Contents/Resources/app.asar',
    ],
    ['darwin', 'x64', 'mac/Broadsheet.app/Contents/MacOS/Broadsheet', 'mac/Broadsheet.app/Contents/Resources/app.asar'],
    ['win32', 'x64', 'win-unpacked/broadsheet.exe', 'win-unpacked/resources/app.asar'],
  ] as const)('finds the program for %s, %s: %s', async (platform, arch, name, archive) => {
    expect(programsIn(data, { platform, arch })).toEqual([]);
    await mkdir(dirname(join(data, name)), { recursive: true });
    await writeFile(join(data, name), '');
    expect(programsIn(data, { platform, arch })).toEqual([
      { name, path: join(data, name), archive: archive && join(data, archive) },
    ]);
  });

  it('changes one byte of a packed file, and changes it back', async () => {
    const archive = join(data, 'app.asar');
    await mkdir(join(data, 'app/out'), { recursive: true });
    await writeFile(join(data, 'app/out/first.js'), 'first');
    await writeFile(join(data, 'app/out/main.js'), 'main()');
    await createPackage(join(data, 'app'), archive);
    const whole = readFileSync(archive);
    const undo = tamper(archive, ['out', 'main.js']);
    expect(extractFile(archive, 'out/main.js').toString()).toBe('lain()');
    expect(extractFile(archive, 'out/first.js').toString()).toBe('first');
    undo();
    expect(readFileSync(archive).equals(whole)).toBe(true);
    expect(() => tamper(archive, ['out', 'none.js'])).toThrow(/not in/);
  });

  it('reports what a program wrote that ends at once', async () => {
    const args = ['--eval', 'console.error("No usable sandbox!"); process.exit(3)', '--'];
    await expect(startPacked(process.execPath, { args, page: PAGE })).rejects.toThrow(
      /ended \(3\)[^]*No usable sandbox/,
    );
  });

  it.skipIf(whyNoPage !== null)(titled('asks the page of a program through its debugger'), async () => {
    const page = 'data:text/html,<title>packed</title>';
    const args = ['--headless', '--no-sandbox', '--disable-gpu', `--user-data-dir=${data}`, page];
    app = await startPacked(process.env['CHROMIUM_PATH'] ?? '', { args, page: 'data:' });
    const { evaluate } = app;
    await expect.poll(() => evaluate('Promise.resolve({ title: document.title })'), WAIT).toEqual({ title: 'packed' });
    await expect(evaluate('missing.member')).rejects.toThrow();
  });
});
