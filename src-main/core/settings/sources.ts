import { normalServiceAddress } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { DemoKind, NewsSource } from '../../contract/model/sync-status.ts';
import type { GatewaySource } from '../../contract/model/model.ts';
import type { Settings } from '../../contract/settings.ts';

interface SourceChoice {
  /** Overrides services of the environment and the settings. */
  demo?: DemoKind | undefined;
  option?: string | undefined;
  environment?: string | undefined;
  settings: Settings;
  /** Returns the address of the demo service. */
  startDemo(): Promise<string>;
}

/** Precedence: option, requested demo, environment, saved setting, default demo. */
export async function resolveNewsSource(choice: SourceChoice): Promise<NewsSource> {
  if (choice.option) return serviceAt(choice.option, 'option');
  if (!choice.demo && choice.environment) return serviceAt(choice.environment, 'environment');
  if (!choice.demo && choice.settings.newsAddress) return serviceAt(choice.settings.newsAddress, 'settings');
  const address = await choice.startDemo();
  return { address, demo: true, ...(choice.demo === 'harsh' && { harsh: true }), from: 'demo' };
}

/**
 * Uses the same precedence. The built-in gateway needs the built-in news: its invented models have nothing to do with
 * real news.
 */
export function resolveGateway(choice: Omit<SourceChoice, 'startDemo'> & { news: NewsSource }): GatewaySource | null {
  if (choice.option) return serviceAt(choice.option, 'option');
  if (!choice.demo && choice.environment) return serviceAt(choice.environment, 'environment');
  if (!choice.demo && choice.settings.modelsAddress) return serviceAt(choice.settings.modelsAddress, 'settings');
  // The demo has no address while it isn't running, but its saved model lists can still be read.
  return choice.news.demo ? { ...choice.news, from: 'demo' } : null;
}

/** Normalizes the address, because it names the service's data. */
function serviceAt<From>(address: string, from: From): { address: string; demo: false; from: From } {
  const normal = normalServiceAddress(address);
  if (normal === null) {
    throw new BroadsheetError(
      'invalid_argument',
      'A service address must be an http or https address without user name, query or fragment.',
    );
  }
  return { address: normal, demo: false, from };
}
