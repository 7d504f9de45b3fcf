import { readOptions, run } from './setup/command.mjs';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { ensureBuild } from './setup/build.mjs';
import { runNpmIn } from './setup/dependencies.mjs';
import { Failure } from './setup/failure.mjs';
import { packageManifest } from './setup/package-manifest.mjs';
import { inProject } from './setup/project.mjs';

const limitMs = 2 * 60_000;

const { values } = readOptions({
  name: 'pack',
  about: 'Builds the command line and the page, and packs them as broadsheet-VERSION.tgz.',
  options: {
    out: { type: 'string', value: 'FOLDER', default: '.', about: 'where to write it' },
    mcp: {
      type: 'boolean',
      about: 'also write an MCP bundle, broadsheet-VERSION.mcpb, and server.json for the registry',
    },
  },
});

/**
 * @param {string} folder with a package.json
 * @param {readonly string[]} options
 * @returns {Promise<{ filename: string, files: { path: string }[] }>}
 */
async function npmPack(folder, options) {
  const kept = 1024 * 1024;
  const ended = await runNpmIn(folder, ['pack', '--json', '--loglevel=error', ...options], { limitMs, kept });
  if (ended.code !== 0) throw new Failure('npm could not pack.', { details: ended.output });
  return JSON.parse(ended.output.slice(ended.output.indexOf('[')))[0];
}

await run(async () => {
  await ensureBuild();
  const folder = mkdtempSync(join(tmpdir(), 'broadsheet-package-'));
  try {
    const { files } = await npmPack(inProject(), ['--dry-run']);
    for (const { path } of files) cpSync(inProject(path), join(folder, path));
    const project = JSON.parse(readFileSync(inProject('package.json'), 'utf8'));
    const manifest = packageManifest(project);
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
    const out = resolve(values.out);
    const { filename } = await npmPack(folder, ['--pack-destination', out]);
    console.log(join(out, filename));
    if (values.mcp) {
      const { askServer, bundleManifest, mcpBundle, registryEntry } = await import('./packaging/mcp.mjs');
      const { tools } = askServer([inProject('out', 'node', 'cli.js'), 'mcp', '--data', join(folder, 'data')]);
      const bundle = filename.replace(/\.tgz$/, '.mcpb');
      const paths = files.map(({ path }) => path);
      const content = mcpBundle(folder, paths, inProject('node_modules'), bundleManifest(project, tools));
      writeFileSync(join(out, bundle), content);
      writeFileSync(join(out, 'server.json'), `${JSON.stringify(registryEntry(project), null, 2)}\n`);
      for (const name of [bundle, 'server.json']) console.log(join(out, name));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
