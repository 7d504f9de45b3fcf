import { describe, expect, it, onTestFinished } from 'vitest';
import type { StoredNotification } from '../../../src-main/contract/model/notification.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { fakeClock } from '../../support/clock.ts';
import { openTestEngine } from '../../support/test-engine.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { runHere } from '../shells.ts';

async function run(folder: string, ...args: string[]) {
  return runHere(args, { BROADSHEET_DATA: folder });
}

/** A folder with one daily that was shown as a notification, and one that was not. */
async function storeNotifications(): Promise<string> {
  const clock = fakeClock();
  const service = await startDemoService({ clock, content: { selected: 60, days: 3 } });
  onTestFinished(() => service.close());
  const folder = temporaryFolder();
  const room = openTestEngine({ address: service.newsAddress, clock, folder, settings: { polling: 'byHand' } });
  await room.engine.start();
  const { notify } = room.settings;
  for (const daily of [true, true, false]) {
    await room.engine.useSettings({ ...room.settings, notify: { ...notify, daily } });
    await room.call('sync.run', { urgency: 'now' });
    service.control.addItem();
    clock.leap(24 * 3_600_000);
  }
  await room.engine.close();
  return folder;
}

describe('the notification history on the command line', () => {
  it('has one notification per line, newest first', async () => {
    const folder = await storeNotifications();
    const { code, out } = await run(folder, 'list', 'notices');
    expect(code).toBe(0);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^2026-03-\d\d \d\d:\d\d daily 2026-03-20.* \(not shown\)$/);
    expect(lines[1]).toMatch(/^2026-03-\d\d \d\d:\d\d daily 2026-03-19: \S.*[^)]$/);
    expect((await run(folder, 'list', 'notices', '--limit', '1')).out.trimEnd().split('\n')).toEqual([lines[0]]);
    const [newest] = jsonLines<StoredNotification>((await run(folder, 'list', 'notices', '--json')).out);
    expect(newest).toMatchObject({ kind: 'daily', count: 1, toldAt: null, target: { label: '2026-03-20' } });
  });

  it('reports if it is empty, and rejects unknown options', async () => {
    const folder = temporaryFolder();
    expect((await run(folder, 'list', 'notices')).err).toMatch(/^Nothing saved yet/);
    expect((await run(folder, 'list', 'notices', '--unread')).code).toBe(2);
  });
});
