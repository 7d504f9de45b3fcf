import { readFile } from 'node:fs/promises';
import type { Log } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import { flag, ownCommand, option, whole } from '../command.ts';
import type { Invocation } from '../invocation.ts';
import { ICON_FILE, PAGE_FOLDER, appVersion } from '../project.ts';
import type { LoopbackServer } from '../server/server.ts';
import { createStderrLog, EXIT, MachineError, type ExitCode } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';

export const SERVING_COMMANDS = {
  // Exit code 1 if the data files, closed for a moment, can't be opened again.
  serve: ownCommand({
    about: 'serve the reader to a browser on this computer; prints the address as JSON: {"url": ...}',
    options: {
      port: option('n', whole('the port on 127.0.0.1 (default: the last one, if it is free; 0 for any)', 0, 65_535)),
    },
    run: ({ port }, invocation) =>
      serve(invocation, { port, watchStdin: true }, (url) => invocation.shell.out.line(JSON.stringify({ url }))),
  }),
  mcp: ownCommand({
    about: 'serve what is saved to an MCP client over stdin and stdout; also while the app runs',
    options: { 'allow-marks': flag('also let the client mark and star items and add to their notes') },
    run: async ({ 'allow-marks': marks = false }, invocation) => {
      const stop = new AbortController();
      // The SDK reads stdin itself.
      onShutdownSignal(() => stop.abort(), { watchStdin: false });
      const [{ openForEachCall, serveMcp }, { openReadingCore }, { openToWrite }] = await Promise.all([
        import('../../mcp/serve.ts'),
        import('../open-core.ts'),
        import('../open-to-write.ts'),
      ]);
      const toWrite = () => openToWrite(invocation, { fetches: false });
      const options = {
        archive: openForEachCall(() => openReadingCore(invocation), marks ? toWrite : undefined),
        version: appVersion(),
        now: () => Date.now(),
        log: createStderrLog(invocation.shell),
      };
      await serveMcp(options, { input: process.stdin, output: process.stdout }, stop.signal);
      return EXIT.well;
    },
  }),
};

/** Ends with a signal. `ready` gets the address, with its token. */
export async function serve(
  invocation: Invocation,
  { port, watchStdin }: { port: number | undefined; watchStdin: boolean },
  ready: (address: string) => Promise<void>,
): Promise<ExitCode> {
  const { dataFolder } = invocation;
  // Registered first: the launcher may end before the server is ready.
  const stopped = Promise.withResolvers<null>();
  // It may be rejected before anything waits for it.
  stopped.promise.catch(() => undefined);
  onShutdownSignal(() => stopped.resolve(null), { watchStdin });
  const [{ openCore }, { forgetAddress, rememberAddress }, { runAfterSyncs }] = await Promise.all([
    import('../open-core.ts'),
    import('../serving.ts'),
    import('../standing-exports.ts'),
  ]);
  const opened = await openCore(invocation, {
    fetches: true,
    engineModule: invocation.shell.engineModule,
    keepsLog: true,
    keepsService: true,
    runsHook: true,
    // After the call that failed has been answered.
    gaveUp: (error) => setImmediate(() => stopped.reject(error)),
  });
  try {
    const server = await openServer(opened, dataFolder, port);
    const stopExports = runAfterSyncs(invocation, opened);
    opened.core.start();
    await ready(server.address);
    await rememberAddress(dataFolder, server.address);
    await stopped.promise.finally(() => {
      stopExports();
      return server.close();
    });
    await forgetAddress(dataFolder);
  } finally {
    await Promise.all([opened.hook?.stop(), opened.close()]);
  }
  return EXIT.well;
}

async function openServer(
  { wire, log }: { wire: Wire; log: Log },
  folder: string,
  port: number | undefined,
): Promise<LoopbackServer> {
  const [
    { readStaticFiles, startLoopbackServer },
    { newSecret },
    { systemClock },
    { savedSession, saveSession },
    feeds,
  ] = await Promise.all([
    import('../server/server.ts'),
    import('../server/request-authenticator.ts'),
    import('../../core/system-clock.ts'),
    import('../serving.ts'),
    import('../feeds.ts'),
  ]);
  const files = await readStaticFiles(PAGE_FOLDER);
  if (files.size === 0) log('warn', 'The page has not been built yet: run `npm run build`');
  const last = savedSession(folder);
  const secret = last?.secret ?? newSecret();
  const saved = async () => (await feeds.savedFeeds(folder)).feeds;
  const liveFeeds = { saved, icon: () => readFile(ICON_FILE) };
  const start = (at: number): Promise<LoopbackServer> =>
    startLoopbackServer({ wire, files, feeds: liveFeeds, clock: systemClock, log, secret, port: at });
  const wanted = port ?? last?.port ?? 0;
  try {
    const server = await start(wanted).catch((error: unknown) => {
      if (port !== undefined) throw error;
      return start(0);
    });
    await saveSession(folder, { secret, port: server.port });
    if (last && last.port !== server.port && (await saved()).length > 0) {
      log('warn', 'Feeds have new addresses, because the port is another one: see `broadsheet feeds list`');
    }
    return server;
  } catch (error) {
    throw new MachineError(portText(wanted, error), { cause: error });
  }
}

function portText(port: number, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return `Port ${port} is in use. Choose another one with --port, or omit --port.`;
  if (code === 'EACCES') return `Permission denied for port ${port}. Choose one above 1023.`;
  return `Cannot open port ${port} (${code ?? 'unknown error'}). Choose another one with --port.`;
}
