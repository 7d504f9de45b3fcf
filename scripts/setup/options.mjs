import { parseArgs } from 'node:util';
import { Failure } from './failure.mjs';

/**
 * @typedef {object} Option
 * @property {'string' | 'boolean'} type
 * @property {string} about as printed by `--help`
 * @property {string} [value] the name of its value there
 * @property {string} [short]
 * @property {boolean} [multiple]
 * @property {string | boolean} [default]
 * @property {(text: string) => string | null} [fault] says what is wrong with a value: "must be ...". Null: nothing
 */

/**
 * @template {Record<string, Option>} O
 * @typedef {object} Command
 * @property {string} name as it is typed after `npm run`
 * @property {string} about one sentence
 * @property {O} [options]
 * @property {{ name: string, about: string }} [operands] what may follow without a name
 */

/**
 * Reads the options of a command, before it starts or deletes anything: `--help` lists them and ends with 0, and a wrong one
 * ends with 2.
 * @template {Record<string, Option>} O
 * @param {Command<O>} command
 */
export function readOptions(command) {
  const args = process.argv.slice(2);
  if (asksForHelp(args)) {
    console.log(helpOf(command));
    process.exit(0);
  }
  try {
    return parseOptions(command, args);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    console.error(`broadsheet: ${error.message}`);
    process.exit(2);
  }
}

/** @param {readonly string[]} args */
export function asksForHelp(args) {
  return args.some((arg) => arg === '--help' || arg === '-h');
}

/**
 * Errors: a Failure in one line about the first wrong option.
 * @template {Record<string, Option>} O
 * @param {Command<O>} command
 * @param {readonly string[]} args
 */
export function parseOptions(command, args) {
  const { options = /** @type {O} */ ({}), operands } = command;
  const fail = (/** @type {string} */ what) => new Failure(`${what}. See npm run ${command.name} -- --help`);
  const read = (() => {
    try {
      return parseArgs({ args: [...args], options, allowPositionals: operands !== undefined });
    } catch (error) {
      // The rest of Node's message is for developers.
      const [what = ''] = (error instanceof Error ? error.message : String(error)).split(
        /\.? (?=To specify|This command)|\.?\n|\.$/,
      );
      throw fail(what);
    }
  })();
  for (const [name, given] of Object.entries(read.values)) {
    for (const text of [given].flat()) {
      const fault = typeof text === 'string' ? options[name]?.fault?.(text) : null;
      if (fault) throw fail(`--${name} ${fault}`);
    }
  }
  return { values: read.values, operands: read.positionals };
}

/** @param {number} from @param {number} [to] */
export function wholeNumber(from, to = Number.MAX_SAFE_INTEGER) {
  const range = to === Number.MAX_SAFE_INTEGER ? `from ${from} on` : `from ${from} to ${to}`;
  return (/** @type {string} */ text) => {
    const number = /^\d+$/.test(text) ? Number(text) : NaN;
    return number >= from && number <= to ? null : `must be a whole number ${range}`;
  };
}

/** @param {readonly string[]} names */
export function oneOf(names) {
  return (/** @type {string} */ text) => (names.includes(text) ? null : `must be one of ${names.join(', ')}`);
}

/** @param {Command<Record<string, Option>>} command */
export function helpOf({ name, about, options = {}, operands }) {
  const lines = Object.entries(options).map(([option, { short, type, value = option.toUpperCase(), ...rest }]) => {
    const names = `${short ? `-${short}, ` : ''}--${option}${type === 'string' ? ` ${value}` : ''}`;
    const notes = [rest.multiple ? '; may be repeated' : '', rest.default ? ` (default: ${rest.default})` : ''];
    return [names, rest.about + notes.join('')];
  });
  if (operands) lines.unshift([operands.name, operands.about]);
  lines.push(['-h, --help', 'show this']);
  const width = Math.max(...lines.map(([names = '']) => names.length));
  const table = lines.map(([names = '', text]) => `  ${names.padEnd(width)}  ${text}`);
  const follows = [Object.keys(options).length > 0 ? ' [options]' : '', operands ? ` [${operands.name}]` : ''].join('');
  return [`Usage: npm run ${name}${follows && ` --${follows}`}`, '', about, '', ...table].join('\n');
}
