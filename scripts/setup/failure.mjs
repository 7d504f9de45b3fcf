/** What a person can read and act on. It ends a command with one line, never with a stack trace. */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {{ details?: string }} [options] details: output of the tool that failed, shown above the line
   */
  constructor(message, options = {}) {
    super(message);
    this.name = 'Failure';
    this.details = options.details ?? '';
  }
}

/** The person (or the system) asked the command to stop; not an error. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Stopped by ${signal}.`);
    this.name = 'Interrupted';
    this.signal = signal;
  }
}

const causes = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EACCES', 'permission was denied'],
  ['EPERM', 'permission was denied'],
  ['EROFS', 'the folder is on a read-only disk'],
  ['ENOTFOUND', 'the network cannot be reached'],
  ['EAI_AGAIN', 'the network cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['ECONNREFUSED', 'the network refused the connection'],
  ['ECONNRESET', 'the network cut the connection'],
  ['ETIMEDOUT', 'the network did not answer in time'],
  ['EMFILE', 'too many files are open'],
]);

/**
 * The plain cause behind a tool's output, where it names an error code that has one.
 * @param {string} output
 * @returns {string | undefined}
 */
export function causeIn(output) {
  for (const [code, cause] of causes) {
    if (new RegExp(`\\b${code}\\b`).test(output)) return `${cause} (${code})`;
  }
  return undefined;
}

/**
 * One line about any error.
 * @param {unknown} error
 */
export function describeFailure(error) {
  if (error instanceof Failure) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const cause = causeIn(message);
  const line = message.split('\n')[0] ?? '';
  // The system's own words name the file; "EACCES: permission denied, " before it says the cause a second time.
  return cause === undefined ? line : `${cause}: ${line.replace(/^[A-Z]+: [^,]+, /, '')}`;
}

const signalExitCodes = new Map([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
]);

/** @param {unknown} error */
export function reportFailure(error) {
  if (error instanceof Interrupted) return;
  if (error instanceof Failure && error.details !== '') console.error(error.details.trimEnd());
  if (process.env['BROADSHEET_DEBUG'] && error instanceof Error) console.error(error.stack);
  console.error(`broadsheet: ${describeFailure(error)}`);
}

/**
 * Runs a command's body; its result is the exit code, its errors become one line.
 * @param {() => Promise<number>} body
 */
export async function runCommand(body) {
  // A reader that went away (`npm start | head -1`) is no reason to crash.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    process.exitCode = await body();
  } catch (error) {
    reportFailure(error);
    process.exitCode = error instanceof Interrupted ? (signalExitCodes.get(error.signal) ?? 1) : 1;
  }
}
