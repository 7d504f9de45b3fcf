import { normalServiceAddress } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { DemoKind } from '../../contract/demo.ts';
import type { GatewaySource } from '../../contract/model/gateway.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';
import type { Settings } from '../../contract/settings.ts';

interface SourceChoice {
  /** A demo that was asked for. It takes the place of services in the environment and the settings. */
  demo?: DemoKind | undefined;
  /** From the command line. */
  option?: string | undefined;
  /** From the environment. */
  environment?: string | undefined;
  settings: Settings;
  /** Starts the demo service once and returns its address. */
  startDemo(): Promise<string>;
}

/** Selects the news service: option before requested demo before environment before saved setting before the usual demo. */
export async function resolveNewsSource(choice: SourceChoice): Promise<NewsSource> {
  if (choice.option) return named(choice.option, 'option');
  if (!choice.demo && choice.environment) return named(choice.environment, 'environment');
  if (!choice.demo && choice.settings.newsAddress) return named(choice.settings.newsAddress, 'settings');
  const address = await choice.startDemo();
  return { address, demo: true, ...(choice.demo === 'harsh' && { harsh: true }), from: 'demo' };
}

/**
 * Selects the gateway in the same order. The built-in gateway is only used with the built-in news: its invented models
 * have nothing to do with real news.
 */
export function resolveGateway(choice: Omit<SourceChoice, 'startDemo'> & { news: NewsSource }): GatewaySource | null {
  if (choice.option) return named(choice.option, 'option');
  if (!choice.demo && choice.environment) return named(choice.environment, 'environment');
  if (!choice.demo && choice.settings.modelsAddress) return named(choice.settings.modelsAddress, 'settings');
  // The demo has no address while it isn't running, but its saved model lists can still be read.
  return choice.news.demo ? { ...choice.news, from: 'demo' } : null;
}

/** Names the data of a service, so all spellings of its address are one. */
function named<From>(address: string, from: From): { address: string; demo: false; from: From } {
  const normal = normalServiceAddress(address);
  if (normal === null) {
    throw new BroadsheetError(
      'invalid_argument',
      'A service address must be an http or https address without user name, query or fragment.',
    );
  }
  return { address: normal, demo: false, from };
}
