import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { createInterface } from 'node:readline';
import { strFromU8, unzipSync } from 'fflate';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { askServer, bundleManifest, mcpBundle, registryEntry } from '../../scripts/packaging/mcp.mjs';
import { packageManifest } from '../../scripts/setup/package-manifest.mjs';
import { runNpmIn } from '../../scripts/setup/dependencies.mjs';
import { projectNode } from '../../scripts/setup/project-node.mjs';
import { projectRoot } from '../../scripts/setup/project.mjs';
import { temporaryFolder } from '../support/folders.ts';
import { isWhole } from '../support/proofs.ts';

interface Packed {
  filename: string;
  files: { path: string; mode: number }[];
}

const limitMs = 5 * 60_000;
const isBuilt = existsSync(join(projectRoot, 'out', 'renderer', 'index.html'));

const manifest = packageManifest(packageJson);

async function listFiles(): Promise<Packed> {
  const args = ['pack', '--json', '--loglevel=error', '--dry-run'];
  const { output } = await runNpmIn(projectRoot, args, { limitMs, kept: 1024 * 1024 });
  const [packed] = JSON.parse(output.slice(output.indexOf('['))) as Packed[];
  return packed ?? expect.fail(output);
}

/** Returns the modules that one of ours or of the bundle loads, now or later. */
function importedBy(path: string): string[] {
  const text = readFileSync(join(projectRoot, path), 'utf8');
  return ts.preProcessFile(text, true, false).importedFiles.map(({ fileName }) => fileName);
}

describe('the package that npm packs', () => {
  let paths: string[];
  beforeAll(async () => {
    paths = (await listFiles()).files.map(({ path }) => path);
  }, limitMs);

  it('has the command, the page and little else', () => {
    expect(paths).toEqual(
      expect.arrayContaining(['bin/broadsheet.mjs', 'out/node/cli.js', 'out/node/engine-worker.js']),
    );
    if (isBuilt) expect(paths).toContain('out/renderer/index.html');
    const others = paths.filter((path) => !/^out\/(?:node\/[\w-]+\.js|renderer\/(?:assets\/)?[\w.-]+)$/.test(path));
    expect(others.sort()).toEqual(
      [
        ...packageJson.files.filter((one) => /\.\w+$/.test(one) && !one.startsWith('!')),
        'bin/broadsheet.mjs',
        'LICENSE',
        'README.md',
        'package.json',
      ].sort(),
    );
    expect(paths.filter((path) => /\.(?:map|ts|svelte)$|\/\.stamp$/.test(path))).toEqual([]);
  });

  it('has everything that the command loads, or depends on it', () => {
    const modules = paths.filter((path) => /^(?:bin|scripts|out\/node)\/.*\.m?js$/.test(path));
    expect(modules.length).toBeGreaterThan(20);
    const missing = modules.flatMap((path) =>
      importedBy(path).flatMap((name) => {
        if (!name.startsWith('.')) return isBuiltin(name) || name in manifest.dependencies ? [] : [`${path}: ${name}`];
        const file = posix.join(posix.dirname(path), name);
        // Only in a checkout: the command looks first.
        return paths.includes(file) || file === 'scripts/setup/checkout.mjs' ? [] : [`${path}: ${name}`];
      }),
    );
    expect(missing).toEqual([]);
  });

  it('has a command that knows that it is no checkout', () => {
    expect(paths).not.toContain('package-lock.json');
    expect(manifest).toMatchObject({ name: 'broadsheet', bin: { broadsheet: './bin/broadsheet.mjs' } });
  });

  it('can be published, and depends on better-sqlite3 alone', () => {
    expect(manifest).not.toHaveProperty('private');
    expect(manifest).toMatchObject({
      publishConfig: { access: 'public', provenance: true },
      engines: { node: '>=20' },
    });
    expect(manifest.dependencies).toEqual({ 'better-sqlite3': packageJson.dependencies['better-sqlite3'] });
  });

  it('is what clients of MCP are told about: a bundle and an entry for the registry', () => {
    const data = join(temporaryFolder(), 'data');
    const { tools } = askServer([join(projectRoot, 'out', 'node', 'cli.js'), 'mcp', '--data', data]);
    const { name, version, description, license, productName } = packageJson;
    const bundle = bundleManifest(packageJson, tools);
    expect(bundle).toMatchObject({ name, version, description, license, display_name: productName });
    expect(bundle.tools).toEqual(tools.map((tool) => ({ name: tool.name, description: tool.description })));
    expect(bundle.tools.length).toBeGreaterThan(5);
    const folder = temporaryFolder();
    const content = unzipSync(mcpBundle(projectRoot, paths, join(projectRoot, 'node_modules'), bundle));
    expect(JSON.parse(strFromU8(content['manifest.json'] ?? new Uint8Array()))).toEqual(bundle);
    const { entry_point: entry, mcp_config: start } = bundle.server;
    expect(start.args).toEqual([`\${__dirname}/${entry}`, 'mcp']);
    expect(Object.keys(content)).toEqual(expect.arrayContaining([entry, bundle.icon, 'package.json']));
    for (const [path, bytes] of Object.entries(content)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), bytes);
    }
    const run = start.args.map((arg) => arg.replace('${__dirname}', folder));
    expect(askServer([...run, '--data', data])).toMatchObject({ serverInfo: { name, version }, tools });
    expect(existsSync(data)).toBe(false);

    const { packages, ...server } = registryEntry(packageJson);
    expect(server).toMatchObject({ name: manifest.mcpName, version, description, title: productName });
    // The registry takes no more.
    expect(description.length).toBeLessThanOrEqual(100);
    expect(packages).toMatchObject([{ registryType: 'npm', identifier: name, version }]);
  });

  // Packages are downloaded, a hundred megabytes the first time.
  it.runIf(isWhole && isBuilt)('runs in an empty folder with a Node that is new enough', async () => {
    const folder = temporaryFolder();
    const packed = spawnSync(projectNode, [join(projectRoot, 'scripts', 'pack.mjs'), '--out', folder], {
      encoding: 'utf8',
    });
    expect(packed.status, packed.stderr).toBe(0);
    const tarball = packed.stdout.trim().split('\n').at(-1) ?? '';
    // With a space and Chinese in its path.
    const place = join(folder, 'leerer Ordner 空');
    mkdirSync(place);
    writeFileSync(join(place, 'package.json'), '{}');
    const installed = await runNpmIn(place, ['install', '--no-audit', '--no-fund', tarball], {
      limitMs,
    });
    expect(installed, installed.output).toMatchObject({ code: 0 });
    expect(readdirSync(join(place, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'better-sqlite3',
      'broadsheet',
      // Which better-sqlite3 needs where it has to be compiled.
      'node-addon-api',
    ]);
    const PATH = `${dirname(projectNode)}:${process.env['PATH'] ?? ''}`;
    const run = (...args: string[]) =>
      spawnSync('npx', ['--offline', 'broadsheet', ...args, '--data', join(place, 'data')], {
        cwd: place,
        encoding: 'utf8',
        env: { HOME: process.env['HOME'], PATH },
      });
    expect(run('--version')).toMatchObject({ status: 0, stdout: `${packageJson.version}\n` });
    const synced = run('sync', '--json');
    expect(JSON.parse(synced.stdout), synced.stderr).toMatchObject({ ok: true });
    expect(run('list', 'items', '--limit', '1').stdout).toMatch(/^ o 20/);
    const served = spawn('npx', ['--offline', 'broadsheet', 'serve', '--data', 'data'], {
      cwd: place,
      env: { HOME: process.env['HOME'], PATH },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(createInterface(served.stdout), 'line')) as [string];
    expect(line).toContain('{"url":"http://127.0.0.1:');
    served.stdin.end();
    await once(served, 'close');
  });
});
