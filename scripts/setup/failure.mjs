/** An error with a message for the user. It ends a command with one line, without a stack trace. */
export class Failure extends Error {
  /**
   * @param {string} message
   * @param {{ details?: string }} [options] details: output of the failed tool, printed above the message
   */
  constructor(message, options = {}) {
    super(message);
    this.name = 'Failure';
    this.details = options.details ?? '';
  }
}

/** The user or the system stopped the command; not an error. */
export class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Stopped by ${signal}.`);
    this.name = 'Interrupted';
    this.signal = signal;
  }
}

const replacedCertificate =
  'its certificate is not trusted: a virus scanner or proxy may replace it, and NODE_EXTRA_CA_CERTS can name theirs';

const causes = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EACCES', 'permission was denied'],
  ['EPERM', 'permission was denied'],
  ['EROFS', 'the folder is on a read-only disk'],
  ['ENOTFOUND', 'the network cannot be reached'],
  ['EAI_AGAIN', 'the network cannot be reached'],
  ['ENETUNREACH', 'the network cannot be reached'],
  ['ECONNREFUSED', 'the connection was refused'],
  ['ECONNRESET', 'the connection was closed'],
  ['ETIMEDOUT', 'the network timed out'],
  ['UND_ERR_CONNECT_TIMEOUT', 'the network timed out'],
  ['SELF_SIGNED_CERT_IN_CHAIN', replacedCertificate],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', replacedCertificate],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', replacedCertificate],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', replacedCertificate],
  ['EMFILE', 'too many files are open'],
]);

/**
 * Returns a readable cause, if the output of a tool contains a known error code.
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
 * Describes any error in one line.
 * @param {unknown} error
 */
export function describeFailure(error) {
  if (error instanceof Failure) return error.message;
  const message = error instanceof Error ? error.message : String(error);
  const cause = causeIn(message);
  const line = message.split('\n')[0] ?? '';
  // The system's message names the file; its prefix "EACCES: permission denied, " would repeat the cause.
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
 * Runs a command, which ends by the signal that stopped it; its result is the exit code, and errors are printed in one line.
 * @param {() => Promise<number>} body
 */
export async function runCommand(body) {
  // A closed pipe (`npm start | head -1`) is not an error.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    process.exitCode = await body();
  } catch (error) {
    reportFailure(error);
    if (error instanceof Interrupted && process.platform !== 'win32') process.kill(process.pid, error.signal);
    process.exitCode = error instanceof Interrupted ? (signalExitCodes.get(error.signal) ?? 1) : 1;
  }
}
