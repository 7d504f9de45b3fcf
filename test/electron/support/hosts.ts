import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { openOnce } from '../../support/open-once.ts';
import { runHost, type FakeHost, type HostOptions } from '../fake/index.ts';

export const WAIT = { timeout: 30_000, interval: 50 };

/** Nothing listens at the news service's address: these tests are about the host, not about syncing. */
const OFFLINE = { BROADSHEET_NEWS_URL: 'http://127.0.0.1:9' };

/** One host for the tests of a file that do not disturb each other. */
export const standingHost = (): (() => FakeHost) =>
  openOnce(async (atEnd) => {
    const host = await runHost({ environment: OFFLINE });
    atEnd(() => host.close());
    return host;
  });

/** Runs hosts in one data folder, a new one for each test. After it, they are stopped and the folder is removed. */
export function hostsOfTest() {
  const running: FakeHost[] = [];
  const test = {
    dataFolder: '',
    async run(options: HostOptions = {}): Promise<FakeHost> {
      const environment = { ...OFFLINE, ...options.environment };
      const host = await runHost({ dataFolder: test.dataFolder, ...options, environment });
      running.push(host);
      return host;
    },
  };
  beforeEach(async () => {
    test.dataFolder = await mkdtemp(join(tmpdir(), 'broadsheet-desktop-'));
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((host) => host.close()));
    await rm(test.dataFolder, { recursive: true, force: true });
  });
  return test;
}
