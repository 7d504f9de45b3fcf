import { Session } from 'node:inspector/promises';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { InMemoryTransport } from '@modelcontextprotocol/server';
import { NO_DESKTOP } from '../../src-main/contract/model/capabilities.ts';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { createCore } from '../../src-main/core/core.ts';
import { RunCredentials } from '../../src-main/core/credentials/key-stores.ts';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { createMcpServer } from '../../src-main/mcp/server.ts';

const CORE = new URL('../../src-main/', import.meta.url).href;
const QUERY = /** @type {const} */ ({ scope: 'all', window: 'any', state: 'any' });

/**
 * Returns the files that a reader of the code passes for each of five calls. Syncs first and by hand, so that no work in
 * the background counts.
 *
 * @returns {Promise<Record<string, string[]>>}
 */
export async function walk() {
  const dataFolder = mkdtempSync(join(tmpdir(), 'broadsheet-walks-'));
  const service = await startDemoService({ clock: systemClock, content: { selected: 60, days: 3 } });
  const core = await openCore(dataFolder, service.newsAddress);
  const session = new Session();
  try {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    return await walkThrough(core, () => filesRun(session));
  } finally {
    session.disconnect();
    await core.close();
    await service.close();
    rmSync(dataFolder, { recursive: true, force: true });
  }
}

/**
 * @param {import('../../src-main/core/types.ts').Core} core
 * @param {() => Promise<string[]>} passed
 */
async function walkThrough(core, passed) {
  const { wire } = core;
  /** @type {import('../../src-main/contract/wire.ts').Call} */
  const call = async (method, args) => {
    const reply = await wire.call(method, args);
    if (!reply.ok) throw new Error(`${method} failed: ${reply.error.code}`);
    return reply.value;
  };
  await call('sync.run', { urgency: 'now' });
  const { rows } = await call('items.page', { query: QUERY, limit: 50 });
  const { lines } = await call('reports.index', { kind: 'daily' });
  const newest = lines.find(({ stored }) => stored) ?? lines[0];
  if (!rows[0] || !newest) throw new Error('The demo service has no items or no dailies.');
  const item = rows[0].id;
  const client = await connectMcp(call);
  /** @type {[string, () => Promise<unknown>][]} */
  const calls = [
    ['items.page', () => call('items.page', { query: QUERY, limit: 50 })],
    ['items.mark', () => call('items.mark', { ids: [item], mark: 'star' })],
    ['reports.open', () => call('reports.open', { kind: 'daily', label: newest.label })],
    ['settings.set', () => call('settings.set', { patch: { keepDays: 90 } })],
    ['MCP search', () => client.callTool({ name: 'search', arguments: { query: 'model' } })],
  ];
  /** @type {Record<string, string[]>} */
  const walks = {};
  for (const [name, make] of calls) {
    await passed();
    await make();
    walks[name] = await passed();
  }
  await client.close();
  return walks;
}

/** @param {Session} session Restarts its coverage with each call. */
async function filesRun(session) {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  return result
    .filter(({ url }) => url.startsWith(CORE) && !url.startsWith(`${CORE}demo/`))
    .filter(({ functions }) =>
      functions.some(({ ranges: [whole] }) => whole && whole.startOffset > 0 && whole.count > 0),
    )
    .map(({ url }) => fileURLToPath(url).slice(fileURLToPath(CORE).length))
    .sort();
}

/**
 * @param {string} dataFolder
 * @param {string} address
 */
function openCore(dataFolder, address) {
  /** @type {import('../../src-main/contract/settings.ts').Settings} */
  let settings = { ...DEFAULT_SETTINGS, newsAddress: address, polling: 'byHand' };
  return createCore({
    dataFolder,
    clock: systemClock,
    log: () => undefined,
    settings: { get: () => settings, set: (changed) => (settings = changed) },
    capabilities: { ...NO_DESKTOP, version: '0.0.0', platform: process.platform, locale: 'en' },
    source: () => Promise.resolve({ address, demo: false, from: 'option' }),
    gateway: () => null,
    keys: new RunCredentials(null),
    openExternal: () => Promise.resolve(),
  });
}

/** @param {import('../../src-main/contract/wire.ts').Call} call */
async function connectMcp(call) {
  const server = createMcpServer({
    archive: { read: (work) => work(call) },
    version: '0.0.0',
    now: Date.now,
    log: () => undefined,
  });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'counts', version: '1.0.0' });
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  return client;
}
