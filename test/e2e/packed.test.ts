import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { writeSettings } from '../support/test-server.ts';
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
