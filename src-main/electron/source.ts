import type { NewsSource, Settings } from '../contract/model.ts';
import type { Clock } from '../contract/ports.ts';
import { resolveNewsSource } from '../core/source.ts';
import { demoStarter } from '../demo/starter.ts';

/** Says which service to mirror, and runs the demo service from the first time that it is that one. */
export interface Sources {
  choose(settings: Settings): Promise<NewsSource>;
  close(): Promise<void>;
}

export function createSources(environment: NodeJS.ProcessEnv, clock: Clock): Sources {
  const demo = demoStarter({ clock });
  return {
    choose: (settings) =>
      resolveNewsSource({ environment: environment['BROADSHEET_NEWS_URL'], settings, startDemo: demo.start }),
    close: demo.close,
  };
}
