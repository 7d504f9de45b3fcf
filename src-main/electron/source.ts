import type { GatewaySource } from '../contract/model/model.ts';
import { isDemoKind, type NewsSource } from '../contract/model/sync-status.ts';
import type { Settings } from '../contract/settings.ts';
import type { Clock, Credential, Log } from '../contract/ports.ts';
import { boundTo, keyFrom } from '../core/credentials/run-credentials.ts';
import { resolveGateway, resolveNewsSource } from '../core/settings/sources.ts';
import { demoStarter } from '../demo/starter.ts';

/** Starts the demo service when it is first needed. */
export interface Sources {
  choose(settings: Settings): Promise<NewsSource>;
  gateway(settings: Settings, news: NewsSource): GatewaySource | null;
  close(): Promise<void>;
}

export function createSources(environment: NodeJS.ProcessEnv, clock: Clock): Sources {
  const wanted = environment['BROADSHEET_DEMO'] ?? '';
  const kind = isDemoKind(wanted) ? wanted : undefined;
  const demo = demoStarter({ clock, harsh: kind === 'harsh' });
  return {
    choose: (settings) =>
      resolveNewsSource({
        demo: kind,
        environment: environment['BROADSHEET_NEWS_URL'],
        settings,
        startDemo: demo.start,
      }),
    gateway: (settings, news) =>
      resolveGateway({ demo: kind, environment: environment['BROADSHEET_MODELS_URL'], settings, news }),
    close: demo.close,
  };
}

/** For the gateway configured at the start. An invalid key is logged and ignored. */
export function environmentKey(environment: NodeJS.ProcessEnv, settings: Settings, log: Log): Credential | null {
  try {
    return boundTo(environment['BROADSHEET_MODELS_URL'] || settings.modelsAddress, keyFrom(environment));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    log('warn', error.message);
    return null;
  }
}
