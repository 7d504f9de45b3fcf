import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../../..', import.meta.url));
const builder = join(project, 'node_modules/electron-builder/cli.js');

export interface Packed {
  /** The program, with its fuses. */
  program: string;
  archive: string;
  /** Output of the packer. */
  output: string;
  folder: string;
  remove(): Promise<void>;
}

/**
 * Packs the app for Linux with electron-builder and our configuration, all but Electron itself: in its place stands a file
 * that has nothing of it but its fuses.
 */
export async function packApp(environment: Record<string, string> = {}): Promise<Packed> {
  const folder = await mkdtemp(join(tmpdir(), 'broadsheet-packed-'));
  const electron = join(folder, 'electron');
  await fakeElectron(electron);
  const args = [
    '--linux',
    'dir',
    '--x64',
    '--publish',
    'never',
    '--config',
    join(project, 'electron-builder.config.ts'),
  ];
  const places = [`-c.electronDist=${electron}`, `-c.directories.output=${join(folder, 'made')}`];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [builder, ...args, ...places], {
    cwd: project,
    timeout: 240_000,
    env: { ...process.env, ...environment },
  });
  const unpacked = join(folder, 'made/linux-unpacked');
  return {
    program: join(unpacked, 'broadsheet'),
    archive: join(unpacked, 'resources/app.asar'),
    output: stdout + stderr,
    folder,
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The desktop file in the AppImage of a packed app. Its tools, which would be downloaded, are not needed for it. */
export async function appImageEntry(packed: Packed): Promise<string> {
  const script = fileURLToPath(new URL('desktop-entry.ts', import.meta.url));
  const folder = join(packed.folder, 'made/linux-unpacked');
  const config = join(project, 'electron-builder.config.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder, config], {
    cwd: project,
    timeout: 240_000,
  });
  return JSON.parse(/^ENTRY (.*)$/m.exec(stdout)?.[1] ?? 'null') as string;
}

/** How the packer finds the fuses in a program: a mark, the version, how many there are, and one sign for each. */
const FUSES = Buffer.concat([
  Buffer.from('dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX'),
  Buffer.from([1, 9]),
  // As Electron 45 is delivered.
  Buffer.from('101100010'),
]);

async function fakeElectron(folder: string): Promise<void> {
  await mkdir(join(folder, 'locales'), { recursive: true });
  await mkdir(join(folder, 'resources'));
  const program = join(folder, 'electron');
  await writeFile(program, Buffer.concat([Buffer.alloc(64), FUSES, Buffer.alloc(64)]));
  await chmod(program, 0o755);
  for (const name of ['LICENSE', 'LICENSES.chromium.html', 'chrome-sandbox']) await writeFile(join(folder, name), name);
  for (const name of ['en-US', 'de', 'zh-CN', 'zh-TW']) await writeFile(join(folder, 'locales', `${name}.pak`), name);
}

/** The names of the packages in a text of `npm run licences`. */
export function packageNamesIn(licences: string): string[] {
  return [...licences.matchAll(/^={80}\n(\S+) /gm)].map(([, name = '']) => name);
}
