import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_SETTINGS } from '../../src-main/contract/settings.ts';
import { resolveInvocation } from '../../src-main/node/invocation.ts';
import { createNodePorts } from '../../src-main/node/open-core.ts';
import { UsageError } from '../../src-main/node/shell.ts';
import { temporaryFolder } from '../support/folders.ts';
import { hearShell } from './shells.ts';

async function feedOf(demo: 'standard' | 'harsh' | undefined, environment: Record<string, string> = {}) {
  const { shell } = hearShell(environment);
  const data = temporaryFolder();
  const invocation = resolveInvocation({ data, ...(demo && { demo }) }, shell);
  const { ports, close } = await createNodePorts(invocation, { writable: true, fetches: true });
  onTestFinished(close);
  const source = await ports.source({ ...DEFAULT_SETTINGS, newsAddress: demo ? 'https://saved.example' : null });
  const { items } = (await (await fetch(`${source.address}/api/v1/weeklies`)).json()) as { items: { week: string }[] };
  return { source, isHarsh: items[0]?.week === '9999-W52' };
}

describe('--demo', () => {
  it.each([
    ['harsh', {}, true],
    ['standard', {}, false],
    ['standard', { BROADSHEET_DEMO: 'harsh' }, false],
    ['harsh', { BROADSHEET_NEWS_URL: 'https://news.example' }, true],
    [undefined, {}, false],
    [undefined, { BROADSHEET_DEMO: 'harsh' }, true],
  ] as const)('%s with %j starts the service', async (demo, environment, isHarsh) => {
    const feed = await feedOf(demo, environment);
    expect(feed.isHarsh).toBe(isHarsh);
    expect(feed.source).toMatchObject({ demo: true, ...(isHarsh && { harsh: true }) });
  });

  it('gives way to --news, and refuses other kinds in the environment', () => {
    const { shell } = hearShell({ BROADSHEET_DEMO: 'harsh' });
    const data = temporaryFolder();
    expect(resolveInvocation({ data, news: 'https://news.example' }, shell).demo).toBeUndefined();
    const odd = hearShell({ BROADSHEET_DEMO: 'odd' }).shell;
    expect(() => resolveInvocation({ data }, odd)).toThrow(UsageError);
  });
});
