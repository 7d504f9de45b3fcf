import { systemClock } from '../../core/system-clock.ts';
import type { Invocation } from '../invocation.ts';
import { openCore } from '../open-core.ts';
import type { OpenCore } from '../open-core.ts';
import { PAGE_FOLDER } from '../project.ts';
import { startLoopbackServer } from '../server/server.ts';
import type { LoopbackServer } from '../server/server.ts';
import { EXIT, MachineError } from '../shell.ts';
import type { ExitCode } from '../shell.ts';
import { readStaticFiles } from '../server/static-files.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';

const ENGINE = new URL('../../core/engine/engine-worker.ts', import.meta.url);

/** Serves the reader on 127.0.0.1 and keeps it fresh until it is asked to stop. */
export async function serve(invocation: Invocation, { port }: { port: number }): Promise<ExitCode> {
  // Listened to from the first moment: a launcher may be gone before we are ready.
  const stopped = new Promise<void>((resolve) => {
    onShutdownSignal(() => resolve(), { watchStdin: true });
  });
  const opened = await openCore(invocation, { fetches: true, engineModule: ENGINE, waits: false, keepsLog: true });
  try {
    const server = await openDoor(opened, port);
    opened.core.start();
    await invocation.shell.out.line(JSON.stringify({ url: server.address }));
    await stopped;
    await server.close();
  } finally {
    await opened.close();
  }
  return EXIT.well;
}

async function openDoor({ wire, log }: OpenCore, port: number): Promise<LoopbackServer> {
  const files = await readStaticFiles(PAGE_FOLDER);
  if (files.size === 0) log('warn', 'The page is not built yet: run `npm run build`');
  try {
    return await startLoopbackServer({ wire, files, clock: systemClock, log, port });
  } catch (error) {
    throw new MachineError(portInWords(port, error), { cause: error });
  }
}

function portInWords(port: number, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `Port ${port} is taken. Choose another with --port, or leave it out.`;
  if (code === 'EACCES') return `Port ${port} is not allowed to this user. Choose one above 1023.`;
  return `Port ${port} could not be opened (${code ?? 'unknown cause'}).`;
}
