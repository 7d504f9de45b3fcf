import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { Failure } from '../setup/failure.mjs';
import { mcpName } from '../setup/package-manifest.mjs';
import { projectNode } from '../setup/project-node.mjs';

/** The parts of better-sqlite3 that run; the rest is for compiling it. */
const runtime = ['package.json', 'LICENSE', 'lib', 'prebuilds'];

/** @typedef {{ name: string, productName: string, version: string, description: string, license: string }} Project */

/**
 * Starts an MCP server and asks what it is and offers, for which it opens no data.
 * @param {readonly string[]} command
 * @returns {{ serverInfo: object, tools: { name: string, description: string }[] }}
 */
export function askServer(command) {
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pack', version: '1' } };
  const input = [
    { id: 1, method: 'initialize', params: hello },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ]
    .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    .join('');
  const { stdout, stderr } = spawnSync(projectNode, command, { input, encoding: 'utf8', timeout: 60_000 });
  const answers = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
  const [serverInfo, tools] = [answers[0]?.result?.serverInfo, answers[1]?.result?.tools];
  if (!serverInfo || !tools) throw new Failure('The MCP server did not list its tools.', { details: stderr });
  return { serverInfo, tools };
}

/**
 * Returns manifest.json of an MCP bundle (.mcpb), which a client installs with one click and runs with its own Node.
 * @param {Project} project the project's package.json
 * @param {readonly { name: string, description: string }[]} tools
 */
export function bundleManifest({ name, productName, version, description, license }, tools) {
  return {
    manifest_version: '0.3',
    name,
    display_name: productName,
    version,
    description,
    author: { name: 'The Broadsheet authors' },
    license,
    icon: 'resources/icons/256.png',
    server: {
      type: 'node',
      entry_point: 'bin/broadsheet.mjs',
      mcp_config: { command: 'node', args: ['${__dirname}/bin/broadsheet.mjs', 'mcp'] },
    },
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description })),
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: '>=24' } },
  };
}

/** Returns server.json for the registry of MCP servers. @param {Project} project */
export function registryEntry({ name, productName, version, description }) {
  const started = { transport: { type: 'stdio' }, packageArguments: [{ type: 'positional', value: 'mcp' }] };
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: productName,
    description,
    version,
    packages: [{ registryType: 'npm', identifier: name, version, ...started }],
  };
}

/**
 * @param {string} folder the unpacked package
 * @param {readonly string[]} paths of its files
 * @param {string} modules node_modules with what it depends on
 * @param {object} manifest
 */
export function mcpBundle(folder, paths, modules, manifest) {
  /** @type {Record<string, Uint8Array>} */
  const files = { 'manifest.json': Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`) };
  // The page is for a browser.
  for (const path of paths) if (!path.startsWith('out/renderer/')) files[path] = readFileSync(join(folder, path));
  const sqlite = join(modules, 'better-sqlite3');
  for (const entry of readdirSync(sqlite, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
      .slice(sqlite.length + 1)
      .replaceAll('\\', '/');
    if (!entry.isFile() || !runtime.includes(path.split('/')[0] ?? '')) continue;
    files[`node_modules/better-sqlite3/${path}`] = readFileSync(join(sqlite, path));
  }
  return zipSync(files);
}
