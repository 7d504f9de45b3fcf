import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestApp } from '../../support/test-app.ts';

const STORE = new URL('../../../src-main/node/settings-store.ts', import.meta.url).href;
/** Saves settings, and is killed before the new file takes the place of the old one. */
const KILLED = `
  import fs from 'node:fs';
  import { syncBuiltinESMExports } from 'node:module';
  fs.renameSync = () => process.kill(process.pid, 'SIGKILL');
  syncBuiltinESMExports();
  const { openSettingsStore } = await import(${JSON.stringify(STORE)});
  const [folder] = process.argv.slice(1);
  const settings = openSettingsStore({ folder, clock: { now: Date.now }, log: () => undefined });
  settings.set({ ...settings.get(), theme: 'dark' });
`;

it('what killed processes left is removed at the next start, and nothing else', async () => {
  const app = await openTestApp({ folder: 'temporary' });
  const start = readdirSync(app.folder);
  await app.core.close();
  const killed = spawnSync(process.execPath, ['--input-type=module', '-e', KILLED, app.folder], { encoding: 'utf8' });
  expect({ signal: killed.signal, err: killed.stderr }).toMatchObject({ signal: 'SIGKILL' });
  const ended = String(killed.pid);
  const id = '0123456789abcdef';
  const left = readdirSync(app.folder).filter((name) => name.includes('.tmp-'));
  expect(left).toHaveLength(1);
  writeFileSync(join(app.folder, `.key.json.${ended}-${id}.unfinished`), '');
  const others = [
    `.key.json.${String(process.pid)}-${id}.unfinished`,
    `.key.json.${ended}-short.unfinished`,
    'notes.txt.tmp-0123456789abcdef',
    'settings.json.tmp-mine',
    'window.json.tmp-0123456789abcdef',
  ];
  for (const name of others) writeFileSync(join(app.folder, name), '');
  mkdirSync(join(app.folder, 'serving.json.tmp-0123456789abcdef'));
  const now = app.clock.now() / 1000;
  for (const name of left) utimesSync(join(app.folder, name), now - 3_600, now - 3_600);
  // Somebody may be writing this one.
  utimesSync(join(app.folder, 'window.json.tmp-0123456789abcdef'), now - 1, now - 1);
  await app.reopen();
  const found = readdirSync(app.folder).filter((name) => !start.includes(name));
  expect(found.sort()).toEqual([...others, 'serving.json.tmp-0123456789abcdef'].sort());
});
