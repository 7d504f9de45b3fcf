import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { LastPlace } from '../../../src-main/core/files/last-place.ts';
import { fakeClock } from '../../support/clock.ts';
import { temporaryFolder } from '../../support/folders.ts';

const NONE = { place: null, savedAt: null };
const savedAt = '2026-03-18T06:30:00.000Z';

let dataFolder: string;
const file = () => join(dataFolder, 'last-place.json');
const open = (folder = dataFolder) => new LastPlace({ dataFolder: folder, clock: fakeClock(savedAt) });

beforeEach(() => {
  dataFolder = temporaryFolder();
});

it('survives a restart with its time, the last of several that were saved at once', async () => {
  const places = open();
  expect(places.get()).toEqual(NONE);
  await Promise.all(['a', 'b', 'ü "c"'].map((text) => places.save(text)));
  expect(places.get()).toEqual({ place: 'ü "c"', savedAt });
  expect(open().get()).toEqual({ place: 'ü "c"', savedAt });
});

it.each(['', 'not JSON', 'null', '[]', '{"place": 7}', JSON.stringify({ place: 'x'.repeat(200_000) })])(
  'is none if the file is %.20s, and can be saved again',
  async (content) => {
    writeFileSync(file(), content);
    const places = open();
    expect(places.get()).toEqual(NONE);
    await places.save('here');
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ place: 'here', savedAt });
  },
);

it('has no time if an earlier version saved it', async () => {
  writeFileSync(file(), '{"place": "notes"}');
  expect(open().get()).toEqual({ place: 'notes', savedAt: null });
});

it('writes no file for data in memory', async () => {
  const places = open(':memory:');
  await places.save('here');
  expect(places.get()).toEqual({ place: 'here', savedAt });
});
