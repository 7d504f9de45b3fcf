import type { DemoOptions, DemoService } from './options.ts';

export interface DemoStarter {
  /** The address of the news, of a service that is started when it is first request for. A start that failed is tried again. */
  start(): Promise<string>;
  /** Ends the service, if it was started. */
  close(): Promise<void>;
}

/** Holds the demo service of one process: whoever names a service of their own never loads it. */
export function demoStarter(options: DemoOptions): DemoStarter {
  let running: Promise<DemoService> | undefined;
  const begin = async (): Promise<DemoService> => (await import('./service.ts')).startDemoService(options);
  return {
    async start() {
      running ??= begin().catch((error: unknown) => {
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
