import { describe, expect, it, onTestFinished } from 'vitest';
import type { GuidePage } from '../../../src-main/contract/model/sync-status.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { runProgram } from '../../../src-main/node/program.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { jsonLines } from '../child.ts';
import { hearShell } from '../shells.ts';
import { openTestStore } from '../../support/store.ts';

async function openScene() {
  const service = await startDemoService({ clock: systemClock, content: { selected: 3, unselected: 0 } });
  let open = true;
  const leave = async (): Promise<void> => {
    if (open) await service.close();
    open = false;
  };
  onTestFinished(leave);
  const data = temporaryFolder();
  const run = async (args: string[], environment: Record<string, string> = {}) => {
    const { shell, out, err } = hearShell({ BROADSHEET_DATA: data, ...environment });
    return { code: await runProgram(args, '1.2.3', shell), out: out(), err: err() };
  };
  return { service, leave, run, data, named: { BROADSHEET_NEWS_URL: service.newsAddress } };
}

const asked = ({ requests }: { requests: readonly { path: string }[] }): number =>
  requests.filter(({ path }) => path === '/api/v1/agent').length;

describe('show agent', { timeout: 60_000 }, () => {
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
    const { run, leave, named } = await openScene();
    await leave();
    expect(await run(['show', 'agent'], named)).toMatchObject({ code: 1, out: '' });
  });

  it('accepts no key', async () => {
    const { run } = await openScene();
    expect((await run(['show', 'agent', 'what'])).code).toBe(2);
  });
});
