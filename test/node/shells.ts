import { Writable } from 'node:stream';
import { Output } from '../../src-main/node/output.ts';
import type { Shell } from '../../src-main/node/shell.ts';

export interface HeardShell {
  shell: Shell;
  /** What was written so far. */
  out: () => string;
  err: () => string;
}

/** A shell around a command that runs in this process: its words are kept, its environment is what the test says. */
export function hearShell(environment: Shell['environment'] = {}): HeardShell {
  const [out, err] = [hear(), hear()];
  return { shell: { environment, out: out.output, err: err.output }, out: out.text, err: err.text };
}

function hear() {
  let text = '';
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  return { output: new Output(stream), text: () => text };
}
