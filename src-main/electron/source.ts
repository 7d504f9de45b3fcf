import type { NewsSource, Settings } from '../contract/model.ts';
import type { Clock } from '../contract/ports.ts';
import { resolveNewsSource } from '../core/source.ts';
import { startDemoService, type DemoService } from '../demo/service.ts';

/** Says which service to mirror and runs the demo service while it is that one. */
export interface Sources {
  choose(settings: Settings): Promise<NewsSource>;
  close(): Promise<void>;
}

export function createSources(environment: NodeJS.ProcessEnv, clock: Clock): Sources {
  let demo: Promise<DemoService> | undefined;
  const startDemo = async () => {
    demo ??= startDemoService({ clock });
    return (await demo).newsAddress;
  };
  return {
    choose: (settings) => resolveNewsSource({ environment: environment['BROADSHEET_NEWS_URL'], settings, startDemo }),
    close: async () => (await demo)?.close(),
  };
}
