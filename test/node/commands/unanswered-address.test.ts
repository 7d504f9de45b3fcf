import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { runHere } from '../shells.ts';

const NOBODY = 'http://127.0.0.1:9';
const OTHER = 'http://127.0.0.1:10';

it('leaves the news of the earlier address for reading until a new address has answered', async () => {
  const service = await startDemoService({ clock: systemClock, content: { selected: 3, unselected: 2 } });
  onTestFinished(() => service.close());
  const data = temporaryFolder();
  const runAt = (news: string, ...args: string[]) =>
    runHere(args, { BROADSHEET_NEWS_URL: news, BROADSHEET_DATA: data });

  expect(await runAt(OTHER, 'sync')).toMatchObject({ code: 1 });
  // It isn't asked again so soon.
  expect(await runAt(OTHER, 'sync')).toMatchObject({ code: 1, out: expect.stringContaining('not due') as string });
  expect(await runAt(OTHER, 'list', 'items')).toMatchObject({
    code: 1,
    out: '',
    err: expect.stringContaining('Nothing has been') as string,
  });
  expect(await runAt(service.newsAddress, 'sync')).toMatchObject({ code: 0 });
  const before = await runAt(`${service.newsAddress}/`, 'list', 'items', '--json');
  expect(before.err).toBe('');
  expect(jsonLines(before.out)).not.toEqual([]);

  const named = await runAt(NOBODY, 'list', 'items', '--json');
  const err = `Showing what was saved from ${service.newsAddress}, until a sync from ${NOBODY} is complete.\n`;
  expect(named).toEqual({ code: 0, out: before.out, err });

  expect(await runAt(NOBODY, 'sync')).toMatchObject({ code: 1 });
  expect(await runAt(NOBODY, 'list', 'items', '--json')).toEqual(named);
  // Marks belong to what is shown.
  const [row] = jsonLines<{ id: string }>(named.out);
  expect(await runAt(NOBODY, 'mark', 'star', row?.id ?? '')).toMatchObject({ code: 0 });
  await runAt(NOBODY, 'sync');
  expect((await runAt(NOBODY, 'list', 'items', '--starred')).out).toContain(row?.id);
  expect((await runAt(NOBODY, 'status')).out).toContain(NOBODY);
});
