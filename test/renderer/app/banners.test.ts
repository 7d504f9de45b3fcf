import { expect, it } from 'vitest';
import type { StorageWarning } from '../../../src-main/contract/model/sync-status.ts';
import { MemoryWire } from '../support/memory-wire.ts';
import { openPage } from '../support/page.ts';

it.each<[StorageWarning, string]>([
  [
    { file: 'settings.json', setAsideAs: 'settings.not-json-1.json', reason: 'not-json' },
    'settings.json couldn’t be used and was renamed to settings.not-json-1.json. Your last known settings are used.',
  ],
  [
    { file: 'settings.json', setAsideAs: null, reason: 'unreadable' },
    'settings.json can’t be read. Check its permissions. Your last known settings are used.',
  ],
  [
    { file: 'settings.json', setAsideAs: null, reason: 'invalid-values', members: ['newsAddress', 'theme'] },
    'settings.json has values that can’t be used: newsAddress, theme. Your last known settings or the defaults are used instead.',
  ],
])('settings that cannot be used are explained: %j', async (warning, text) => {
  const wire = new MemoryWire([]);
  wire.status = { ...wire.status, storageWarnings: [warning] };
  const { page } = await openPage(wire);
  expect(page.getByText(text)).toBeDefined();
});

it.each([
  ['is told of', true],
  ['is nothing to tell of where there is a sandbox', false],
])('a missing sandbox %s', async (_what, unsandboxed) => {
  const wire = new MemoryWire([]);
  wire.capabilities = { ...wire.capabilities, host: 'electron', unsandboxed };
  const { page } = await openPage(wire);
  expect(page.queryByText(/runs without the sandbox.*--no-sandbox/) !== null).toBe(unsandboxed);
});
