import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { LastPlace } from '../../../src-main/core/files/last-place.ts';
import { temporaryFolder } from '../../support/folders.ts';

let folder: string;
const file = () => join(folder, 'last-place.json');

beforeEach(() => {
  folder = temporaryFolder();
});

it('survives a restart, the last of several that were saved at once', async () => {
  const places = new LastPlace(folder);
  expect(await places.get()).toBeNull();
  await Promise.all(['a', 'b', 'ü "c"'].map((text) => places.save(text)));
  expect(await places.get()).toBe('ü "c"');
  expect(await new LastPlace(folder).get()).toBe('ü "c"');
});

it.each(['', 'not JSON', 'null', '[]', '{"place": 7}', JSON.stringify({ place: 'x'.repeat(200_000) })])(
  'is none if the file is %.20s, and can be saved again',
  async (content) => {
    writeFileSync(file(), content);
    const places = new LastPlace(folder);
    expect(await places.get()).toBeNull();
    await places.save('here');
    expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({ place: 'here' });
  },
);

it('writes no file for data in memory', async () => {
  const places = new LastPlace(':memory:');
  await places.save('here');
  expect(await places.get()).toBe('here');
});
