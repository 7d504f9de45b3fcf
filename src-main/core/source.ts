import { isServiceAddress } from '../contract/addresses.ts';
import { BroadsheetError } from '../contract/errors.ts';
import type { NewsSource, Settings } from '../contract/model.ts';

interface SourceChoice {
  /** What the command line names. */
  option?: string | undefined;
  /** What BROADSHEET_NEWS_URL names. */
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

function named(address: string, from: NewsSource['from']): NewsSource {
  if (!isServiceAddress(address)) {
    throw new BroadsheetError(
      'invalid_argument',
      'The news service address must be an http or https address without user name, query or fragment.',
    );
  }
  return { address: address.replace(/\/+$/, ''), demo: false, from };
}
