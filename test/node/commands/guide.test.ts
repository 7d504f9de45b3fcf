import { describe, expect, it } from 'vitest';
import type { GuidePage } from '../../../src-main/contract/model/sync-status.ts';
import { jsonLines } from '../child.ts';
import { openHome } from '../home.ts';
import { runHere } from '../shells.ts';
import { openTestStore } from '../../support/store.ts';

async function openScene() {
  const { service, data } = await openHome({ content: { selected: 3, unselected: 0 } });
  const run = (args: string[], environment: Record<string, string> = {}) =>
    runHere(args, { BROADSHEET_DATA: data, ...environment });
  return { service, run, data, named: { BROADSHEET_NEWS_URL: service.newsAddress } };
}

const asked = ({ requests }: { requests: readonly { path: string }[] }): number =>
  requests.filter(({ path }) => path === '/api/v1/agent').length;

describe('show agent', () => {
  it('prints the guide as Markdown, or as JSON with its time, and requests it once within its lifetime', async () => {
    const { service, run, named } = await openScene();
    expect(await run(['show', 'agent'], named)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringMatching(/^# Broadsheet demo news\n/) as string,
    });
    const [guide] = jsonLines<GuidePage>((await run(['show', 'agent', '--json'], named)).out);
    expect(guide).toMatchObject({ stale: null, text: expect.stringContaining('## Usage') as string });
    expect(asked(service)).toBe(1);
  });

  it('uses the service of the saved data if none is set', async () => {
    const { service, run, named } = await openScene();
    await run(['sync'], named);
    expect((await run(['show', 'agent'])).code).toBe(0);
    expect(asked(service)).toBe(1);
    const { source } = jsonLines<{ source: { address: string } }>((await run(['status', '--json'])).out)[0]!;
    expect(source.address).toBe(service.newsAddress);
  });

  it('prints the saved guide, with a message on stderr, while another Broadsheet uses the folder', async () => {
    const { service, run, named, data } = await openScene();
    const first = await run(['show', 'agent'], named);
    openTestStore({ folder: data, source: service.newsAddress });
    expect(await run(['show', 'agent'], named)).toMatchObject({
      code: 0,
      out: first.out,
      err: expect.stringContaining('only reads saved data') as string,
    });
  });

  it('fails if nothing is saved and the service is down', async () => {
    const { service, run, named } = await openScene();
    await service.close();
    expect(await run(['show', 'agent'], named)).toMatchObject({ code: 1, out: '' });
  });

  it('accepts no key', async () => {
    const { run } = await openScene();
    expect((await run(['show', 'agent', 'what'])).code).toBe(2);
  });
});
