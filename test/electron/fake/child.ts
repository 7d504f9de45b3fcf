/** A process that installs the fake Electron, runs the host with it and executes the commands of the test. */
import { once } from 'node:events';
import { registerHooks } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Database from 'better-sqlite3';
import type { Driver } from './driver.ts';
import type { Answer, Order } from './protocol.ts';

const FAKE_ELECTRON = new URL('./electron.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' ? { url: FAKE_ELECTRON, shortCircuit: true } : next(specifier, context),
});
const { FAKE_PLATFORM } = process.env;
if (FAKE_PLATFORM !== undefined) {
  // Native modules are found by platform once, so load this one before the platform is faked.
  new Database(':memory:').close();
  Object.defineProperty(process, 'platform', { value: FAKE_PLATFORM });
}
// On a busy computer the core may take longer to close than the host waits. How long that is, quit.test.ts tests.
const { kill } = process;
process.kill = (pid, signal) => (pid === process.pid && signal === 'SIGKILL' ? true : kill.call(process, pid, signal));
// The test that started this process may have crashed.
process.on('disconnect', () => process.exit(1));

const { app, becomeReady, BrowserWindow, firstPage, pages } = await import('./electron.ts');
const { callOf, driver } = await import('./driver.ts');
const { EVENT_NAMES } = await import('../../../src-main/contract/events.ts');

if (process.env['FAKE_LIMITS'] === 'none') {
  // `FAKE_LIMITS=none`: once the host quits, what it would give up waiting for is waited for. No other timer is needed then.
  app.once('before-quit', () => {
    globalThis.setTimeout = ((): NodeJS.Timeout => setInterval(() => undefined, 60_000).unref()) as never;
  });
}

process.on('message', (order: Order) => void obey(order));
// The test sees the events of the first page.
pages.on('loaded', (contents) => {
  for (const event of EVENT_NAMES) {
    contents.page.on(event, (payload) => {
      if (contents === firstPage()) send({ event, payload });
    });
  }
});
const firstLoaded = once(pages, 'loaded');
// `FAKE_PAGE=silent`: a page that shows nothing yet.
const firstPainted = firstLoaded.then(([page]) =>
  process.env['FAKE_PAGE'] === 'silent' ? null : paint(page as never),
);
pages.on('loaded', (page) => {
  if (page !== firstPage() && process.env['FAKE_PAGE'] !== 'silent') void paint(page);
});
await import(process.argv[2] ?? 'no host named');
becomeReady();
await nextTurn();
// A host that starts hidden has no window yet.
if (BrowserWindow.getAllWindows().length > 0) await firstPainted;
send({ ready: true });

/** The page has drawn what it has. */
function paint(page: Parameters<typeof callOf>[0]): Promise<unknown> {
  return callOf(page, 'app.painted', {});
}

async function obey({ id, verb, args }: Order): Promise<void> {
  try {
    const act = driver[verb as keyof Driver] as (...args: unknown[]) => unknown;
    send({ id, value: await act(...args) });
  } catch (error) {
    send({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

function send(answer: Answer): void {
  process.send?.(answer);
}
