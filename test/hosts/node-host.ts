import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src-main/core/system-clock.ts';
import { startDemoService } from '../../src-main/demo/service.ts';
import { startCli } from '../node/child.ts';

/** Returns its address. */
export async function startNews(): Promise<string> {
  const service = await startDemoService({ clock: systemClock, content: { selected: 5, unselected: 0, days: 2 } });
  onTestFinished(() => service.close());
  return service.newsAddress;
}

export async function startServe(folder: string, news: string) {
  const running = startCli(['serve', '--data', folder, '--news', news]);
  onTestFinished(async () => {
    running.child.kill('SIGKILL');
    await running.ended;
  });
  const [line] = (await once(running.child.stdout, 'data')) as [string];
  return { ...running, address: new URL((JSON.parse(line) as { url: string }).url) };
}
