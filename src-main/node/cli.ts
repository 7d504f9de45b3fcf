import { spawn } from 'node:child_process';
import { runProgram } from './program.ts';
import { appVersion, ENGINE_MODULE } from './project.ts';
import { type Browser, describeFailure, EXIT, type ExitCode, Output, type Shell, StreamInput } from './shell.ts';
import { endIfInterrupted } from './shutdown-signals.ts';
import { hasColours, line, red } from './terminal-text.ts';

/** A browser that starts on a busy computer has read the file by then. */
const KEPT_MS = 60_000;
const REMOVE = `setTimeout(() => require('node:fs').rmSync(process.argv[1], { recursive: true, force: true }), ${KEPT_MS})`;

const systemBrowser: Browser = {
  open: async (place) => {
    const { default: open } = await import('open');
    const opener = await open(place);
    opener.on('error', () => undefined);
  },
  removeLater: (folder) => {
    // In another process, so that the prompt comes back at once.
    const remover = spawn(process.execPath, ['-e', REMOVE, folder], {
      detached: true,
      stdio: 'ignore',
      windowsHide: true,
    });
    remover.on('error', () => undefined);
    remover.unref();
  },
};

const shell: Shell = {
  environment: process.env,
  input: new StreamInput(process.stdin),
  browser: systemBrowser,
  out: new Output(process.stdout, { isResult: true, hasColours: hasColours(process.stdout, process.env) }),
  err: new Output(process.stderr, {
    isResult: false,
    hasColours: hasColours(process.stderr, process.env),
    isDumb: process.env['TERM'] === 'dumb',
  }),
  engineModule: ENGINE_MODULE,
};

/** Results that could not be written make a command fail that has otherwise succeeded. */
let hasDefect = false;

async function exit(code: ExitCode): Promise<never> {
  await Promise.all([shell.out.flush(), shell.err.flush()]);
  endIfInterrupted();
  process.exit(hasDefect ? EXIT.failed : code);
}

// One line instead of a stack trace. It ends, because its state is unreliable.
for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
  process.on(event, (error: unknown) => {
    hasDefect = true;
    void shell.err.line(line`${red('broadsheet:')} ${describeFailure(error)}`);
    if (shell.environment['BROADSHEET_DEBUG'] && error instanceof Error) void shell.err.line(error.stack ?? '');
    void exit(EXIT.failed);
  });
}

await exit(await runProgram(process.argv.slice(2), appVersion(), shell));
