import type { DemoOptions, DemoService } from './options.ts';

export interface DemoStarter {
  /** Starts the service on the first call and returns its news address. A failed start is tried again on the next call. */
  start(): Promise<string>;
  /** Stops the service if it was started. */
  close(): Promise<void>;
}

/** The demo service of one process. It is not even loaded if the user has set another news source. */
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
