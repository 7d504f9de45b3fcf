import { normalServiceAddress } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { DemoKind, NewsSource } from '../../contract/model/sync-status.ts';
import type { GatewaySource } from '../../contract/model/model.ts';
import type { Settings } from '../../contract/settings.ts';

interface SourceChoice {
  demo?: DemoKind | undefined;
  option?: string | undefined;
  environment?: string | undefined;
  settings: Settings;
}

export async function resolveNewsSource(choice: SourceChoice & { startDemo(): Promise<string> }): Promise<NewsSource> {
  const service = findService(choice, choice.settings.newsAddress);
  if (service) return service;
  const address = await choice.startDemo();
  return { address, demo: true, ...(choice.demo === 'harsh' && { harsh: true }), from: 'demo' };
}

/** The built-in gateway needs the built-in news: its invented models have nothing to do with real news. */
export function resolveGateway(choice: SourceChoice & { news: NewsSource }): GatewaySource | null {
  // The demo has no address while it isn't running, but its saved model lists can still be read.
  const demo: GatewaySource | null = choice.news.demo ? { ...choice.news, from: 'demo' } : null;
  return findService(choice, choice.settings.modelsAddress) ?? demo;
}

type ChosenService = Pick<NewsSource, 'address' | 'demo' | 'from'>;

/** Precedence: option, requested demo, environment, saved setting. Null for the demo. */
function findService({ option, demo, environment }: SourceChoice, saved: string | null): ChosenService | null {
  if (option) return serviceAt(option, 'option');
  if (demo) return null;
  if (environment) return serviceAt(environment, 'environment');
  return saved ? serviceAt(saved, 'settings') : null;
}

/** Normalizes the address, because it names the service's data. */
function serviceAt(address: string, from: ChosenService['from']): ChosenService {
  const normal = normalServiceAddress(address);
  if (normal === null) {
    throw new BroadsheetError(
      'invalid_argument',
      'A service address must be an http or https address without user name, query or fragment.',
    );
  }
  return { address: normal, demo: false, from };
}
