import type { Input } from './input.ts';
import type { Output } from './output.ts';

export interface Browser {
  /** Opens an address, or a file. Errors: those of starting a browser. */
  open(place: string): Promise<void>;
  /** Removes a folder once a browser has read what is in it; this process may have ended by then. */
  removeLater(folder: string): void;
}

export interface Shell {
  environment: Readonly<Record<string, string | undefined>>;
  input: Input;
  browser: Browser;
  out: Output;
  err: Output;
}

export const EXIT = { well: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** An invalid command line or environment: exit code 2, with a hint to --help. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A problem of this computer, such as a port in use: exit code 1, with this message. */
export class MachineError extends Error {
  override readonly name = 'MachineError';
}
