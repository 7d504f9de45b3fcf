import type { DemoOptions, DemoService } from './options.ts';

export interface DemoStarter {
  /** Starts the service on the first call, and again after a failure. Returns its news address. */
  start(): Promise<string>;
  close(): Promise<void>;
}

/** Loads the service only to start it: never if the user has set another news source. */
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
