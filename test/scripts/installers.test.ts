import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { extractAll, getRawHeader, listPackage } from '@electron/asar';
import { FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import config from '../../electron-builder.config.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { packagesInside } from '../../scripts/packaging/licences.mjs';
import { keptOutside, leftOut, nameOf, neededBy, type Lock } from '../../scripts/packaging/packages.mjs';
import type { Counts } from '../../src-main/contract/model/item.ts';
import { DEEP_LINK_SCHEME } from '../../src-main/contract/refs.ts';
import { APP_ID, DESKTOP_FILE, TOAST_ACTIVATOR } from '../../src-main/electron/identity.ts';
import { onDisk } from '../../src-main/electron/paths.ts';
import { runHost } from '../electron/fake/index.ts';
import { appImageEntry, packageNamesIn, packApp, type Packed } from './support/packed.ts';

// electron-builder lists all of node_modules, which takes time.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 300_000 });

/** The fuse states as stored in the binary: digits. */
const FUSE_OFF = '0'.charCodeAt(0);
const FUSE_ON = '1'.charCodeAt(0);

const project = join(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(join(project, 'package-lock.json'), 'utf8')) as Lock;
const isBuilt = existsSync(join(project, 'out/main/main.js'));

// The next file in this process must not get a configuration that was rejected here.
afterAll(() => {
  vi.resetModules();
});

describe('the configuration of the installers', () => {
  it('has the same app id as the app', () => {
    expect(config.appId).toBe(APP_ID);
    expect(`${config.executableName}.desktop`).toBe(DESKTOP_FILE);
    // The keychain entry has the name, and the installed desktop file is called after the other one.
    expect(packageJson).toMatchObject({ productName: config.productName, desktopName: DESKTOP_FILE });
    expect(config.linux?.syncDesktopName).toBe(true);
    expect(config.protocols).toEqual([{ name: 'Broadsheet', schemes: [DEEP_LINK_SCHEME] }]);
    expect(config.fileAssociations).toBeUndefined();
  });

  it('builds AppImage, deb, rpm, dmg and nsis', () => {
    expect(config.linux?.target).toEqual(['AppImage', 'deb', 'rpm']);
    expect(config.mac?.target).toEqual([{ target: 'dmg', arch: ['x64', 'arm64'] }]);
    expect(config.win?.target).toEqual(['nsis']);
  });

  it.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'])(
    'includes one compiled module for %s',
    (target) => {
      const [pattern = ''] = patterns().filter((each) => each.includes('prebuilds'));
      const leaves = pattern.slice(1).replace('${platform}-${arch}', target);
      const modules = globSync('node_modules/better-sqlite3/prebuilds/*', { cwd: project });
      const left = globSync(leaves, { cwd: project });
      expect(modules.filter((file) => !left.includes(file))).toEqual([
        join('node_modules/better-sqlite3/prebuilds', `${target}.node`),
      ]);
    },
  );

  it('is ready to be signed for macOS, with one right beyond the hardened runtime', () => {
    const { hardenedRuntime, entitlements, entitlementsInherit } = config.mac ?? {};
    expect(hardenedRuntime).toBe(true);
    expect(entitlementsInherit).toBe(entitlements);
    const rights = readFileSync(join(project, entitlements ?? ''), 'utf8').matchAll(/<key>(.*)<\/key>\s*<true\/>/g);
    expect([...rights].map(([, right]) => right)).toEqual(['com.apple.security.cs.allow-jit']);
  });

  it('installs on Windows for one user, so that no administrator is needed', () => {
    expect(config.nsis).toMatchObject({ oneClick: true, perMachine: false, deleteAppDataOnUninstall: false });
  });

  it('removes on Windows what the app has registered, under the names that it has there', () => {
    const script = readFileSync(join(project, config.nsis?.include ?? ''), 'utf8').replaceAll('\\', '/');
    const removed = [...script.matchAll(/^\s*DeleteReg(?:Key|Value) HKCU (.*)$/gm)].map(([, what]) => what);
    expect(removed).toEqual([
      // Electron names a login item after the app id, which is APP_ID there.
      '"Software/Microsoft/Windows/CurrentVersion/Run" "${APP_ID}"',
      '"Software/Microsoft/Windows/CurrentVersion/Explorer/StartupApproved/Run" "${APP_ID}"',
      `"Software/Classes/${DEEP_LINK_SCHEME}"`,
      `"Software/Classes/CLSID/${TOAST_ACTIVATOR}"`,
    ]);
    // The scheme only if the command is the one that Electron writes, and nothing before an update.
    expect(script).toContain(`== '"$INSTDIR/\${APP_EXECUTABLE_FILENAME}" "%1"'`);
    expect(script).toContain('${ifNot} ${isUpdated}');
  });

  it('needs the libraries for sound and pictures on Linux, which the lists of electron-builder leave out', () => {
    expect(config.deb?.depends).toEqual(expect.arrayContaining(['libasound2t64 | libasound2', 'libgbm1']));
    expect(config.rpm?.depends).toEqual(
      expect.arrayContaining(['libasound.so.2()(64bit)', 'libgbm.so.1()(64bit)', 'xdg-utils']),
    );
  });

  it('leaves no folders of an rpm behind', () => {
    expect(config.rpm?.fpm).toEqual([`--directories=/opt/${config.productName}`]);
  });

  it.skipIf(process.platform === 'win32').each([
    ['dpkg removes it', 'remove', true],
    ['dpkg forgets it', 'purge', true],
    ['dpkg upgrades it', 'upgrade', false],
    ['rpm removes it', '0', true],
    ['rpm has upgraded it', '1', false],
  ])('removes the command when %s', async (_what, how, removes) => {
    const folder = await mkdtemp(join(tmpdir(), 'broadsheet-removal-'));
    const record = join(folder, 'record');
    await writeFile(join(folder, 'update-alternatives'), `#!/bin/sh\necho "$@" >"${record}"\n`, { mode: 0o700 });
    expect(config.rpm?.afterRemove).toBe(config.deb?.afterRemove);
    execFileSync('/bin/sh', [join(project, config.deb?.afterRemove ?? ''), how], { env: { PATH: folder } });
    expect(existsSync(record)).toBe(removes);
    if (removes) expect(readFileSync(record, 'utf8')).toBe('--remove broadsheet /opt/Broadsheet/broadsheet\n');
    await rm(folder, { recursive: true });
  });

  it('makes AppImages with the static runtime, which needs no FUSE 2', () => {
    expect(config.toolsets?.appimage).toMatch(/^1\./);
  });

  it('checks for updates only at a given https address', async () => {
    expect(config.publish).toBe(null);
    expect((await configWith('https://updates.example/broadsheet')).publish).toEqual({
      provider: 'generic',
      url: 'https://updates.example/broadsheet',
    });
    for (const feed of ['http://updates.example/', 'file:///updates', 'updates']) {
      await expect(configWith(feed)).rejects.toThrow(/https/);
    }
  });

  it('contains no person and no host name that could exist', () => {
    expect(config.linux?.maintainer).toMatch(/@broadsheet\.invalid>$/);
    expect(config.extraMetadata).toEqual({ homepage: 'https://broadsheet.invalid/' });
    expect(packageJson).not.toHaveProperty('author');
  });
});

describe('the unbundled packages of an installer', () => {
  it('are the native one and the updater, with all their dependencies', () => {
    const carried = neededBy(lock, keptOutside).map(nameOf);
    expect(carried).toEqual(expect.arrayContaining([...keptOutside, 'builder-util-runtime', 'sax']));
    expect(carried).not.toContain('node-addon-api');
    for (const path of neededBy(lock, keptOutside)) expect(leftOut(lock)).not.toContain(path);
  });

  it('are found in the nearest folder, as in npm', () => {
    const lock = {
      packages: {
        '': {},
        'node_modules/a': { dependencies: { b: '1', c: '1' } },
        'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
        'node_modules/b': {},
        'node_modules/c': {},
        'node_modules/d': { dev: true },
      },
    };
    expect(neededBy(lock, ['a'])).toEqual(['node_modules/a', 'node_modules/a/node_modules/b', 'node_modules/c']);
  });

  it('are dependencies, and bundled packages are excluded', () => {
    for (const name of keptOutside) expect(Object.keys(packageJson.dependencies)).toContain(name);
    expect(leftOut(lock).map(nameOf)).toEqual(expect.arrayContaining(['zod', 'undici', 'conf', 'commander']));
  });
});

describe.skipIf(!isBuilt || process.platform === 'win32')('a packed app (skipped before "npm run build")', () => {
  let packed: Packed;
  let files: string[];
  beforeAll(async () => {
    packed = await packApp();
    const header = getRawHeader(packed.archive).header as unknown as Entry;
    files = listPackage(packed.archive, { isPack: false }).filter((path) => 'size' in entryAt(header, path));
  });
  afterAll(() => packed.remove());

  it('passes electron-builder, which validates the configuration', () => {
    expect(packed.output).not.toMatch(/⨯|invalid config|unknown property/i);
    expect(existsSync(packed.archive)).toBe(true);
  });

  it('contains the app, its packages and its images', () => {
    expect([...new Set(files.map((file) => file.split('/')[1]))].sort()).toEqual([
      'node_modules',
      'out',
      'package.json',
      'resources',
    ]);
    expect(files).toContain(join('/', packageJson.main));
    expect(files).toEqual(
      expect.arrayContaining([
        '/out/main/engine-worker.js',
        '/out/preload/preload.cjs',
        '/out/renderer/index.html',
        '/resources/icons/512.png',
        '/resources/tray/trayTemplate@2x.png',
        '/resources/licences.txt',
      ]),
    );
  });

  it('contains everything that was built for the app except the maps', () => {
    const built = globSync('out/{main,preload,renderer}/**/*', { cwd: project, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/\.map$|^\.stamp$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name).slice(project.length));
    expect(files.filter((file) => file.startsWith('/out/')).sort()).toEqual(built.sort());
  });

  it('contains exactly the packages that the built code imports', () => {
    const folders = files.filter((file) => file.endsWith('/package.json') && file !== '/package.json').map(dirname);
    expect(folders.map((folder) => folder.slice(1)).sort()).toEqual(neededBy(lock, keptOutside));
  });

  it('contains no tests, documents, maps, native sources, types or modules of other systems', () => {
    const superfluous =
      /\/(?:tests?|__tests__|docs?|examples?|bench(?:mark)?|deps|src-main|src-renderer|scripts)\/|\.(?:map|md|ts|mts|cts|c|cc|cpp|h|hpp|gyp|svelte|svg|flow|yml)$/;
    const own = ['/out/renderer/favicon.svg'];
    expect(files.filter((file) => superfluous.test(file) && !own.includes(file))).toEqual([]);
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([
      '/node_modules/better-sqlite3/prebuilds/linux-x64.node',
    ]);
  });

  it('has only its native module and its icon outside the archive, where the system can read them', () => {
    const beside = readdirSync(`${packed.archive}.unpacked`, { recursive: true, withFileTypes: true });
    expect(
      beside
        .filter((entry) => entry.isFile())
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['512.png', 'linux-x64.node']);
    expect(existsSync(onDisk(join(packed.archive, 'resources/icons/512.png')))).toBe(true);
  });

  it('has its fuses set in the binary', async () => {
    const wire = await getCurrentFuseWire(packed.program);
    const off = [
      FuseV1Options.RunAsNode,
      FuseV1Options.EnableNodeOptionsEnvironmentVariable,
      FuseV1Options.EnableNodeCliInspectArguments,
      FuseV1Options.GrantFileProtocolExtraPrivileges,
      FuseV1Options.LoadBrowserProcessSpecificV8Snapshot,
      FuseV1Options.EnableCookieEncryption,
    ];
    const on = [FuseV1Options.OnlyLoadAppFromAsar, FuseV1Options.EnableEmbeddedAsarIntegrityValidation];
    expect(off.map((fuse) => wire[fuse])).toEqual(off.map(() => FUSE_OFF));
    expect(on.map((fuse) => wire[fuse])).toEqual(on.map(() => FUSE_ON));
  });

  it('is started from an AppImage without switches, so with its sandbox', async () => {
    const entry = await appImageEntry(packed);
    expect(entry).toMatch(/^Exec=AppRun %U$/m);
    // A main category and one of its own (Desktop Menu Specification).
    expect(entry).toMatch(/^Categories=Network;News;$/m);
    expect(entry).toMatch(/^MimeType=x-scheme-handler\/broadsheet;$/m);
  });

  it('contains the languages of the app', () => {
    const locales = readdirSync(join(dirname(packed.program), 'locales'));
    expect(locales.sort()).toEqual(['en-US.pak', 'zh-CN.pak']);
  });

  it('has no update address', () => {
    expect(existsSync(join(dirname(packed.archive), 'app-update.yml'))).toBe(false);
  });

  it('starts from the packed files only, with its own engine, demo service and native module', async () => {
    const folder = join(packed.folder, 'taken-out');
    extractAll(packed.archive, folder);
    const main = pathToFileURL(join(folder, packageJson.main));
    const host = await runHost({ entry: main.href, environment: { BROADSHEET_DEMO: 'standard' } });
    try {
      const stored = async () => {
        const counts = await host.driver.call('counts.get', {});
        return counts.ok ? (counts.value as Counts).all.total : 0;
      };
      await expect.poll(stored, { timeout: 60_000, interval: 100 }).toBeGreaterThan(0);
      if (process.platform === 'linux') {
        const loaded = readFileSync(`/proc/${host.pid}/maps`, 'utf8').match(/\/\S+\.node$/gm);
        const modules = join(folder, 'node_modules/better-sqlite3/prebuilds/linux-x64.node');
        expect(new Set(loaded)).toEqual(new Set([modules]));
      }
      // The engine's thread loads its roles from chunks, and a check has a thread of its own.
      expect(await host.driver.call('sync.pause', { untilMs: null })).toMatchObject({ ok: true });
      expect(await host.driver.call('health.check', {})).toMatchObject({ ok: true });
      expect(await host.driver.request('app://broadsheet/')).toMatchObject({ status: 200 });
      expect(host.stderr()).not.toMatch(/ERR_MODULE_NOT_FOUND|Cannot find/);
    } finally {
      await host.close();
    }
    // Loaded on demand, so it must be present.
    const found = createRequire(main);
    for (const path of neededBy(lock, keptOutside)) expect(existsSync(join(folder, path)), path).toBe(true);
    expect(found.resolve('electron-updater').startsWith(folder)).toBe(true);
  });

  it('has about the documented size', () => {
    const megabytes = (statSync(packed.archive).size + unpackedSize(packed)) / 1e6;
    // docs/packaging.md has the numbers. A sudden change should be noticed.
    expect(megabytes).toBeGreaterThan(3);
    expect(megabytes).toBeLessThan(9);
  });
});

describe.skipIf(!isBuilt)('the licence texts (skipped before "npm run build")', () => {
  it('name every package in an installer; update them with npm run licences', () => {
    const licences = readFileSync(join(project, 'resources/licences.txt'), 'utf8');
    const inside = new Set(packagesInside(lock, project).map(nameOf));
    expect([...new Set(packageNamesIn(licences))].sort()).toEqual([...inside].sort());
  });

  it('include that of each font of the page', () => {
    const licences = readFileSync(join(project, 'resources/licences.txt'), 'utf8');
    const fonts = readdirSync(join(project, 'out/renderer/assets')).filter((name) => name.endsWith('.woff2'));
    expect(fonts.length).toBeGreaterThan(1);
    for (const font of fonts) {
      const file = font.replace(/-.{8}\.woff2$/, '.woff2');
      const owner = packageNamesIn(licences).find((name) =>
        existsSync(join(project, 'node_modules', name, 'files', file)),
      );
      expect(owner, font).toBeDefined();
    }
    expect(licences.match(/SIL OPEN FONT LICENSE Version 1\.1/g)).toHaveLength(2);
  });
});

interface Entry {
  files?: Record<string, Entry>;
  size?: number;
}

function entryAt(header: Entry, path: string): Entry {
  return path
    .split('/')
    .filter(Boolean)
    .reduce<Entry>((entry, name) => entry.files?.[name] ?? {}, header);
}

function unpackedSize({ archive }: Packed): number {
  return globSync(`${archive}.unpacked/**/*.node`).reduce((sum, file) => sum + statSync(file).size, 0);
}

function patterns(): string[] {
  return (Array.isArray(config.files) ? config.files : []).filter((each): each is string => typeof each === 'string');
}

async function configWith(feed: string): Promise<typeof config> {
  vi.stubEnv('BROADSHEET_UPDATE_FEED', feed);
  vi.resetModules();
  try {
    const module = await import('../../electron-builder.config.ts');
    return module.default;
  } finally {
    vi.unstubAllEnvs();
  }
}
