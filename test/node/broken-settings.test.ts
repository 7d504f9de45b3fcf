import { chmod, chown, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { casesOf } from '../support/proofs.ts';
import { openOnce } from '../support/open-once.ts';
import { jsonLines } from './child.ts';
import { openHome } from './home.ts';
import { runHere } from './shells.ts';

interface Account {
  source: { address: string | null; demo: boolean };
  counts: { all: { total: number } };
}

/** Only the settings name its service. */
const standing = openOnce(async (atEnd) => {
  const home = await openHome({ content: { selected: 30, days: 3 }, atEnd });
  const settings = { newsAddress: home.service.newsAddress, theme: 'dark' };
  await writeFile(join(home.data, 'settings.json'), JSON.stringify(settings));
  await runHere(['sync', '--data', home.data]);
  return home;
});
let folder: string;
const file = () => join(folder, 'settings.json');
const sync = () => runHere(['sync', '--data', folder]);
const account = async () => jsonLines<Account>((await runHere(['status', '--json', '--data', folder])).out)[0]!;

beforeEach(() => {
  folder = standing().copy().data;
});

const BROKEN: [name: string, content: (whole: string) => Buffer | string][] = [
  ['cut', (whole) => whole.slice(0, -12)],
  ['empty', () => ''],
  ['saved as UTF-16', (whole) => Buffer.from(`\uFEFF${whole}`, 'utf16le')],
  ['with a wrong address', () => '{"newsAddress":"news.example","theme":"dark"}'],
];

describe.each([
  ['with the last good copy', false, casesOf(BROKEN, [0, 3])],
  ['with nothing but the saved news', true, casesOf(BROKEN, [1, 2])],
] as const)('a settings file that breaks, %s', (_, alone, broken) => {
  it.each(broken)('(%s) leaves the saved news and their service in use', async (_name, content) => {
    const before = await account();
    expect(before).toMatchObject({ source: { address: standing().service.newsAddress, demo: false } });
    await writeFile(file(), content(await readFile(file(), 'utf8')));
    if (alone) await writeFile(join(folder, 'settings-last-good.json'), '');
    for (let run = 0; run < 2; run += 1) {
      expect(await sync()).toMatchObject({ code: 0 });
      expect(await account()).toMatchObject({ source: before.source, counts: before.counts });
    }
    expect(await readdir(folder)).not.toContain('sources');
  });
});

it('lists the wrong values, and tells where an unusable file is now', async () => {
  await writeFile(file(), '{"newsAddress":"news.example","keepDays":0}');
  expect((await sync()).err).toBe(
    'broadsheet: warn: settings.json has values that cannot be used: newsAddress, keepDays. The last known settings are used.\n',
  );
  await writeFile(file(), '{');
  expect((await sync()).err).toMatch(
    /settings\.json could not be used \(not-json\) and was renamed to settings\.not-json-\S+\.json\. The last known/,
  );
});

// Only root can become another user, and root may read everything.
it.runIf(process.getuid?.() === 0)('that another user owns is left alone', async () => {
  const NOBODY = 65_534;
  for (const name of await readdir(folder)) await chown(join(folder, name), NOBODY, NOBODY).catch(() => undefined);
  await chown(folder, NOBODY, NOBODY);
  await chown(file(), 0, 0);
  await chmod(file(), 0o600);
  const before = await readFile(file(), 'utf8');
  process.seteuid?.(NOBODY);
  const { code, err } = await sync().finally(() => process.seteuid?.(0));
  expect(err).toContain('settings.json cannot be read and is left unchanged (unreadable). The last known settings');
  expect(code).toBe(0);
  expect(await account()).toMatchObject({ source: { address: standing().service.newsAddress, demo: false } });
  expect(await readFile(file(), 'utf8')).toBe(before);
});
