import type { Locale } from '../common/i18n/locale.ts';
import type { DemoOptions, DemoService } from './options.ts';

export interface DemoStarter {
  /**
   * Starts the service on the first call, and again after a failure. Returns its news address. An English reader gets
   * English news.
   */
  start(locale: Locale): Promise<string>;
  close(): Promise<void>;
}

/** Loads the service only to start it: never if the user has set another news source. */
export function demoStarter(options: DemoOptions): DemoStarter {
  let running: Promise<DemoService> | undefined;
  const begin = async (locale: Locale): Promise<DemoService> => {
    const { startDemoService } = await import('./service.ts');
    return startDemoService({ ...options, ...(locale === 'en' && { language: 'en' }) });
  };
  return {
    async start(locale) {
      running ??= begin(locale).catch((error: unknown) => {
        running = undefined;
        throw error;
      });
      return (await running).newsAddress;
    },
    async close() {
      const service = await running?.catch(() => undefined);
      await service?.close();
    },
  };
}
