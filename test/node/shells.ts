import { rmSync } from 'node:fs';
import { Readable, Writable } from 'node:stream';
import { StreamInput, Output, type Shell } from '../../src-main/node/shell.ts';
import { runProgram } from '../../src-main/node/program.ts';

export interface HeardShell {
  shell: Shell;
  /** The output so far. */
  out: () => string;
  err: () => string;
  /** Addresses that were opened in the browser. */
  opened: string[];
}

/** A browser that only notes what it is asked for. */
function hearBrowser(opened: string[] = []): Shell['browser'] {
  return {
    open: (place) => {
      opened.push(place);
      return Promise.resolve();
    },
    removeLater: (folder) => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A shell for a command in this process: keeps the output, with styles if `hasColours`, and uses the test's environment and input. */
export function hearShell(environment: Shell['environment'] = {}, given = '', hasColours = false): HeardShell {
  const [out, err] = [hear(hasColours), hear(hasColours)];
  const input = new StreamInput(Readable.from([Buffer.from(given)]));
  const opened: string[] = [];
  const browser = hearBrowser(opened);
  // To start its threads costs more than most syncs, and the processes of other tests have them.
  const engineModule = undefined;
  const shell = { environment, input, browser, out: out.output, err: err.output, engineModule };
  return { shell, out: out.text, err: err.text, opened };
}

/** Runs a command line in this process, with nothing in its environment but what is given. A process costs half a second. */
export async function runHere(
  args: readonly string[],
  environment: Shell['environment'] = {},
  given = '',
  hasColours = false,
): Promise<{ code: number; out: string; err: string }> {
  const { shell, out, err } = hearShell(environment, given, hasColours);
  const code = await runProgram(args, '1.2.3', shell);
  await Promise.all([shell.out.flush(), shell.err.flush()]);
  return { code, out: out(), err: err() };
}

function hear(hasColours: boolean) {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { output: new Output(stream, { isResult: true, hasColours }), text: () => text };
}
