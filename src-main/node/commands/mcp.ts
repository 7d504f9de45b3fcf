import { openedForEachCall } from '../../mcp/archive.ts';
import { serveMcp } from '../../mcp/serve.ts';
import type { Invocation } from '../invocation.ts';
import { createStderrLog } from '../log.ts';
import { openReadingCore } from '../open-core.ts';
import { appVersion } from '../project.ts';
import { EXIT, type ExitCode } from '../shell.ts';
import { onShutdownSignal } from '../shutdown-signals.ts';

/** Serves what is saved to one MCP client over stdin and stdout, until either closes. Reads only, also while the app runs. */
export async function mcp(invocation: Invocation): Promise<ExitCode> {
  const stop = new AbortController();
  // The SDK reads stdin itself.
  onShutdownSignal(() => stop.abort(), { watchStdin: false });
  const options = {
    archive: openedForEachCall(() => openReadingCore(invocation)),
    version: appVersion(),
    now: () => Date.now(),
    log: createStderrLog(invocation.shell),
  };
  await serveMcp(options, { input: process.stdin, output: process.stdout }, stop.signal);
  return EXIT.well;
}
