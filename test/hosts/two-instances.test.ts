import { describe, expect, it, onTestFinished } from 'vitest';
import { runHost } from '../electron/fake/index.ts';
import { runCli } from '../node/child.ts';
import { temporaryFolder } from '../support/folders.ts';
import { isWhole } from '../support/proofs.ts';
import { signIn } from '../support/sign-in.ts';
import { idsIn, exportedIn } from '../support/user-data.ts';
import { startNews, startServe } from './node-host.ts';

const SAYS_SO = /another Broadsheet|already (running|in use)|in use by/i;

/** A Node host with a page of its own. */
async function serve(folder: string, news: string) {
  const running = await startServe(folder, news);
  const { address } = running;
  const headers = { ...(await signIn(address)).headers, 'content-type': 'application/json' };
  const call = async (method: string, args: object): Promise<unknown> => {
    const body = JSON.stringify(args);
    return (await fetch(`${address.origin}/call/${method}`, { method: 'POST', headers, body })).json();
  };
  return { ...running, call };
}

const star = (id: string) => ({ ids: [id], mark: 'star' });

describe('a second instance on a data folder', () => {
  it('of the Node host says so, changes nothing, and leaves the first one working', async () => {
    const [folder, news] = [temporaryFolder(), await startNews()];
    const first = await serve(folder, news);
    expect(await first.call('items.mark', star('one'))).toMatchObject({ ok: true });
    const settings = await first.call('settings.get', {});

    const second = await runCli(['serve', '--data', folder, '--news', news]);
    expect(second).toMatchObject({ code: 75, out: '' });
    expect(second.err).toMatch(SAYS_SO);
    expect(await first.call('items.mark', star('two'))).toMatchObject({ ok: true });
    expect(await first.call('settings.get', {})).toEqual(settings);
    expect(await first.call('sync.status', {})).toMatchObject({ ok: true, value: { storageWarnings: [] } });
    const { value } = (await first.call('data.export', {})) as { value: { text: string } };
    expect(starsIn(value.text)).toEqual(['one', 'two']);
  });

  it('of the desktop app beside a Node host says so, and works when the Node host has ended', async () => {
    const [folder, news] = [temporaryFolder(), await startNews()];
    const first = await serve(folder, news);
    await first.call('items.mark', star('one'));

    const desktop = await runHost({ dataFolder: folder, environment: { BROADSHEET_NEWS_URL: news } });
    onTestFinished(() => desktop.close());
    expect(await desktop.driver.call('items.mark', star('other') as never)).toMatchObject({
      ok: false,
      error: { code: 'data_in_use' },
    });
    expect(await first.call('items.mark', star('two'))).toMatchObject({ ok: true });
    await desktop.close();

    first.child.kill('SIGTERM');
    expect((await first.ended).code).toBe(0);
    const next = await runHost({ dataFolder: folder, environment: { BROADSHEET_NEWS_URL: news } });
    onTestFinished(() => next.close());
    expect(await next.driver.call('items.mark', star('three') as never)).toMatchObject({ ok: true });
    const reply = (await next.driver.call('data.export', {})) as { value: { text: string } };
    expect(starsIn(reply.value.text)).toEqual(['one', 'three', 'two']);
  });

  it.runIf(isWhole)('of the Node host beside the desktop app says so', async () => {
    const [folder, news] = [temporaryFolder(), await startNews()];
    const desktop = await runHost({ dataFolder: folder, environment: { BROADSHEET_NEWS_URL: news } });
    onTestFinished(() => desktop.close());
    expect(await desktop.driver.call('items.mark', star('one') as never)).toMatchObject({ ok: true });
    const second = await runCli(['serve', '--data', folder, '--news', news]);
    expect(second).toMatchObject({ code: 75, out: '' });
    expect(second.err).toMatch(SAYS_SO);
    expect(await desktop.driver.call('items.mark', star('two') as never)).toMatchObject({ ok: true });
  });
});

function starsIn(text: string): string[] {
  return idsIn(exportedIn(text), 'star').sort();
}
