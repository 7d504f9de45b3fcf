import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SharedSettings } from '../../../src-main/contract/settings.ts';
import { addChecksum } from '../../../src-main/sync/devices/lines.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { compareAll, openAlone, openDevice, type Device } from './support.ts';

function change({ settings, clock }: Device, patch: Partial<SharedSettings>): void {
  clock.advance(1_000);
  settings.current = { ...settings.current, ...patch };
}

async function twoDevices(): Promise<{ folder: string; one: Device; other: Device }> {
  const folder = temporaryFolder();
  const [one, other] = [openAlone('desk'), openAlone('laptop')];
  for (const { sharing } of [one, other]) await sharing.use({ folder, settings: true });
  return { folder, one, other };
}

/** A line as another device writes it, at a time in ms since 1970. */
function setElsewhere(folder: string, name: string, value: unknown, time: number): void {
  const path = join(folder, 'broadsheet-devices', 'f'.repeat(16));
  mkdirSync(path, { recursive: true });
  const content = { k: 'setting', s: '', by: 'f'.repeat(16), e: 0, t: time, v: value, ids: [name] };
  writeFileSync(join(path, `segment-${name.replace(/\W/g, '')}.jsonl`), `${addChecksum(JSON.stringify(content))}\n`);
}

describe('settings of two devices', () => {
  it('reach each other if both share them, and the later change stays', async () => {
    const { one, other } = await twoDevices();
    expect(one.sharing.status().settings).toBe(true);
    change(one, { theme: 'dark', shortcuts: { 'item.next': 'n', 'item.previous': 'p' } });
    await compareAll([one, other]);
    expect(other.settings.current).toMatchObject({ theme: 'dark', shortcuts: { 'item.next': 'n' } });

    change(one, { font: 'sans', theme: 'light' });
    other.clock.advance(60_000);
    change(other, { theme: 'system' });
    await compareAll([one, other]);
    expect(one.settings.current).toEqual(other.settings.current);
    expect(one.settings.current).toMatchObject({ theme: 'system', font: 'sans' });
    // An arrived setting is no change of the device itself.
    expect(one.sharing.status().waiting).toBe(0);
    await compareAll([one, other]);
    expect(other.settings.current.theme).toBe('system');
  });

  it('are not touched where they are not shared', async () => {
    const folder = temporaryFolder();
    const one = await openDevice(folder, 'desk');
    const other = openAlone('laptop');
    await other.sharing.use({ folder, settings: true });
    change(one, { theme: 'dark' });
    change(other, { font: 'sans' });
    await compareAll([one, other]);
    expect(one.settings.current).toMatchObject({ theme: 'dark', font: 'serif' });
    expect(other.settings.current).toMatchObject({ theme: 'system', font: 'sans' });
    // They are known, and used once the reader agrees.
    await one.sharing.use({ folder, settings: true });
    expect(one.settings.current.font).toBe('sans');
  });

  it('of a device that begins do not replace those of the others, however its clock is', async () => {
    const { folder, one, other } = await twoDevices();
    change(one, { theme: 'dark' });
    await compareAll([one, other]);
    const third = openAlone('third');
    third.clock.advance(365 * 24 * 3_600_000);
    change(third, { theme: 'light', density: 'compact' });
    await third.sharing.use({ folder, settings: true });
    await compareAll([third, one]);
    expect(third.settings.current).toMatchObject({ theme: 'dark', density: 'compact' });
    expect(one.settings.current).toMatchObject({ theme: 'dark', density: 'compact' });
  });

  it('that this version does not know, or whose values mean nothing, are counted and passed on', async () => {
    const { folder, one } = await twoDevices();
    const time = one.clock.now();
    setElsewhere(folder, 'theme', 'sepia', time);
    setElsewhere(folder, 'ligatures', { on: true }, time);
    setElsewhere(folder, 'newsAddress', 'https://elsewhere.example', time);
    setElsewhere(folder, '../x', 'dark', time);
    await one.sharing.compare();
    expect(one.settings.current.theme).toBe('system');
    expect(one.sharing.status()).toMatchObject({ unknownSettings: 3, leftOut: 0, failure: null });
    await one.sharing.remove('f'.repeat(16));
    const again = await openDevice(folder, 'again');
    expect(again.sharing.status().unknownSettings).toBe(3);
    // A change here replaces it, for all.
    change(one, { theme: 'dark' });
    await compareAll([one, again]);
    expect(again.sharing.status().unknownSettings).toBe(2);
  });
});
