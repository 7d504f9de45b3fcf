import { systemClock } from '../../core/system-clock.ts';
import type { Invocation } from '../invocation.ts';
import { openCore } from '../open-core.ts';
import type { OpenCore } from '../open-core.ts';
import { ENGINE_MODULE, PAGE_FOLDER } from '../project.ts';
import { startLoopbackServer } from '../server/server.ts';
import type { LoopbackServer } from '../server/server.ts';
import { forgetAddress, rememberAddress } from '../serving.ts';
import { EXIT, MachineError } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { readStaticFiles } from '../server/static-files.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';

/**
 * Serves the app on 127.0.0.1 and syncs in the background until it is stopped. Exit code 1 if the data files can't be
 * opened again after they were closed for a moment.
 */
export async function serve(invocation: Invocation, { port }: { port: number }): Promise<ExitCode> {
  // Registered first: the launcher may end before the server is ready.
  const stopped = Promise.withResolvers<null>();
  // It may be rejected before anything waits for it.
  stopped.promise.catch(() => undefined);
  onShutdownSignal(() => stopped.resolve(null), { watchStdin: true });
  const opened = await openCore(invocation, {
    fetches: true,
    engineModule: ENGINE_MODULE,
    waits: false,
    keepsLog: true,
    keepsService: true,
    // After the call that failed has been answered.
    gaveUp: (error) => setImmediate(() => stopped.reject(error)),
  });
  try {
    const server = await openServer(opened, port);
    opened.core.start();
    await invocation.shell.out.line(JSON.stringify({ url: server.address }));
    await rememberAddress(invocation.dataFolder, server.address);
    await stopped.promise.finally(() => server.close());
    await forgetAddress(invocation.dataFolder);
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

async function openServer({ wire, log }: OpenCore, port: number): Promise<LoopbackServer> {
  const files = await readStaticFiles(PAGE_FOLDER);
  if (files.size === 0) log('warn', 'The page has not been built yet: run `npm run build`');
  try {
    return await startLoopbackServer({ wire, files, clock: systemClock, log, port });
  } catch (error) {
    throw new MachineError(portText(port, error), { cause: error });
  }
}

function portText(port: number, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another one with --port, or omit --port.`;
  if (code === 'EACCES') return `Permission denied for port ${port}. Choose one above 1023.`;
  return `Cannot open port ${port} (${code ?? 'unknown error'}). Choose another one with --port.`;
}
