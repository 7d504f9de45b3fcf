import { isServiceAddress } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type { GatewaySource } from '../../contract/model/gateway.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';
import type { Settings } from '../../contract/settings.ts';

interface SourceChoice {
  /** What the command line names. */
  option?: string | undefined;
  /** What the environment names. */
  environment?: string | undefined;
  settings: Settings;
  /** Starts the demo service, once, and gives its address. */
  startDemo(): Promise<string>;
}

/** Which service to mirror: option before environment before stored setting before the demo service. */
export async function resolveNewsSource(choice: SourceChoice): Promise<NewsSource> {
  if (choice.option) return named(choice.option, 'option');
  if (choice.environment) return named(choice.environment, 'environment');
  if (choice.settings.newsAddress) return named(choice.settings.newsAddress, 'settings');
  return { address: await choice.startDemo(), demo: true, from: 'demo' };
}

/**
 * Which gateway lists models, by the same order. The built-in one stands beside the built-in news alone: made-up models have
 * nothing to say of real news.
 */
export function resolveGateway(choice: Omit<SourceChoice, 'startDemo'> & { news: NewsSource }): GatewaySource | null {
  if (choice.option) return named(choice.option, 'option');
  if (choice.environment) return named(choice.environment, 'environment');
  if (choice.settings.modelsAddress) return named(choice.settings.modelsAddress, 'settings');
  // A stored mirror of the demo has no address while nobody runs it; what its gateway listed can be read all the same.
  return choice.news.demo ? { ...choice.news, from: 'demo' } : null;
}

function named<From>(address: string, from: From): { address: string; demo: false; from: From } {
  if (!isServiceAddress(address)) {
    throw new BroadsheetError(
      'invalid_argument',
      'A service address must be an http or https address without user name, query or fragment.',
    );
  }
  return { address: address.replace(/\/+$/, ''), demo: false, from };
}
