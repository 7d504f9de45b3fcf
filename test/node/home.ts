import { cpSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService, type DemoOptions, type DemoService } from '../../src-main/demo/service.ts';
import { temporaryFolder } from '../support/folders.ts';
import type { AtEnd } from '../support/open-once.ts';
import { jsonLines } from './child.ts';
import { runHere } from './shells.ts';

/** A data folder, a news service, and the command line on both, in this process. */
export interface Home {
  service: DemoService;
  data: string;
  run(...args: string[]): ReturnType<typeof runHere>;
  /** The lines that a command prints with `--json`. */
  lines<T>(...args: string[]): Promise<T[]>;
  /** The same service with a copy of the folder. */
  copy(atEnd?: AtEnd): Home;
}

export interface HomeOptions extends Partial<DemoOptions> {
  environment?: Readonly<Record<string, string>>;
  atEnd?: AtEnd;
}

/** Opens one with an empty folder. It ends after the test, or with the scene of a file (`openOnce`). */
export async function openHome({ environment = {}, atEnd = onTestFinished, ...options }: HomeOptions): Promise<Home> {
  const service = await startDemoService({ clock: systemClock, ...options });
  atEnd(() => service.close());
  return homeIn(temporaryFolder(atEnd), service, environment);
}

/** A home that has been synced. */
export async function openSynced(options: HomeOptions): Promise<Home> {
  const home = await openHome(options);
  const { code, err } = await home.run('sync');
  if (code !== 0) throw new Error(err);
  return home;
}

function homeIn(data: string, service: DemoService, more: Readonly<Record<string, string>>): Home {
  const environment = { BROADSHEET_NEWS_URL: service.newsAddress, BROADSHEET_DATA: data, ...more };
  const run: Home['run'] = (...args) => runHere(args, environment);
  return {
    service,
    data,
    run,
    lines: async <T>(...args: string[]) => jsonLines<T>((await run(...args, '--json')).out),
    copy(atEnd = onTestFinished) {
      const folder = temporaryFolder(atEnd);
      cpSync(data, folder, { recursive: true });
      return homeIn(folder, service, more);
    },
  };
}
