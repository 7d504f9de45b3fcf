import { systemBrowser } from './browser.ts';
import { StreamInput } from './input.ts';
import { Output } from './output.ts';
import { appVersion } from './project.ts';
import { describeFailure, runProgram } from './program.ts';
import { EXIT } from './shell.ts';
import type { ExitCode, Shell } from './shell.ts';
import { hasColours, line, red } from './styled-text.ts';

/** Entry point of the command line: the only module that uses `process` directly. */
const shell: Shell = {
  environment: process.env,
  input: new StreamInput(process.stdin),
  browser: systemBrowser,
  out: new Output(process.stdout, { isResult: true, hasColours: hasColours(process.stdout, process.env) }),
  err: new Output(process.stderr, { isResult: false, hasColours: hasColours(process.stderr, process.env) }),
};

/** Results that could not be written make a command fail that has otherwise succeeded. */
let hasDefect = false;

async function exit(code: ExitCode): Promise<never> {
  await Promise.all([shell.out.flush(), shell.err.flush()]);
  process.exit(hasDefect ? EXIT.failed : code);
}

// Uncaught errors: print one line instead of a stack trace and exit, because the state is unreliable.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    hasDefect = true;
    void shell.err.line(line`${red('broadsheet:')} ${describeFailure(error)}`);
    if (shell.environment['BROADSHEET_DEBUG'] && error instanceof Error) void shell.err.line(error.stack ?? '');
    void exit(EXIT.failed);
  });
}

await exit(await runProgram(process.argv.slice(2), appVersion(), shell));
