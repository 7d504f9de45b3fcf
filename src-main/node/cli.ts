import { Output } from './output.ts';
import { appVersion } from './project.ts';
import { failureInWords, runProgram } from './program.ts';
import { EXIT } from './shell.ts';
import type { ExitCode, Shell } from './shell.ts';

/** The command line's entry: everything that touches this process itself is here. */
const shell: Shell = { environment: process.env, out: new Output(process.stdout), err: new Output(process.stderr) };

async function leave(code: ExitCode): Promise<never> {
  await Promise.all([shell.out.flush(), shell.err.flush()]);
  process.exit(code);
}

// A defect that nobody caught: one line in place of a stack trace, and a state that can be relied on no more.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    void shell.err.line(`broadsheet: ${failureInWords(error)}`);
    if (shell.environment['BROADSHEET_DEBUG'] && error instanceof Error) void shell.err.line(error.stack ?? '');
    void leave(EXIT.failed);
  });
}

await leave(await runProgram(process.argv.slice(2), appVersion(), shell));
