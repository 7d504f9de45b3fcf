import type { Output } from './output.ts';

/** What surrounds a command: where its words go and what the environment says. Tests give it their own. */
export interface Shell {
  environment: Readonly<Record<string, string | undefined>>;
  /** Results: human lines or JSON. */
  out: Output;
  /** Hints, warnings and errors. */
  err: Output;
}

export const EXIT = { well: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Something in the command line or the environment is not understood: exit 2, with a hint of --help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Something about this machine, such as a port, stands in the way of a command: exit 1, with these words. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
}
