/** A process that takes the stand-in for Electron, runs the host on it and does what the test at the other end says. */
import { registerHooks } from 'node:module';
import type { Driver } from './driver.ts';
import type { Answer, Order } from './protocol.ts';

const STANDIN = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: STANDIN, shortCircuit: true } : next(specifier, context),
});
// The test that started this process may have crashed: nothing of it lives on.
process.on('disconnect', () => process.exit(1));

const { becomeReady, pageLoaded } = await import('./electron.ts');
const { driver, wire } = await import('./driver.ts');
const { EVENT_NAMES } = await import('../../../src-main/contract/events.ts');

process.on('message', (order: Order) => void obey(order));
await import(process.argv[2] ?? 'no host named');
becomeReady(undefined);
await pageLoaded;
for (const event of EVENT_NAMES) wire().on(event, (payload) => tell({ event, payload }));
tell({ ready: true });

async function obey({ id, verb, args }: Order): Promise<void> {
  try {
    const act = driver[verb as keyof Driver] as (...args: unknown[]) => unknown;
    tell({ id, value: await act(...args) });
  } catch (error) {
    tell({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

function tell(answer: Answer): void {
  process.send?.(answer);
}
