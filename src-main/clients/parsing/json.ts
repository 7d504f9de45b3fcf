import Big from 'big.js';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Json } from '../../contract/model/model.ts';

const MAX_DEPTH = 128;

/** Lone surrogates, which valid UTF-8 has as escapes only, and dangerous names. Faster than walking the values. */
const SUSPICIOUS = /\\u(?:d[89a-f]|005f)|__proto__/i;

/** Such numbers are too large for a float. Ids and hashes look alike, but are quoted. */
const HUGE_EXPONENT = /\d[eE]\+?\d{3,}\s*[,}\]]/;
const HUGE_DIGITS = 309;

/** In UTF-16 units. Shorter bodies are parsed in a fifth of a second at most, whatever they contain. */
const COUNTED_LENGTH = 2 * 1024 * 1024;
/** The largest real page has 30,000 values; 32 MiB can be 16 million, and each takes time and memory. */
const MAX_VALUES = 300_000;
const MAX_DIGITS = 1_000;

/** More digits than a float always keeps; quoted ones don't match. Lookbehind and limit keep the search linear. */
const LONG_NUMBER = /(?<![\d.])[\d.]{16,1000}(?:[eE][+-]?\d{1,6})?\s*[,}\]]/;
const MAX_COMPARED = 20_000;

/** Replaces lone surrogates, drops `__proto__`, makes too large numbers strings. Errors: `invalid_body`. */
export function parseJson(text: string): unknown {
  if (text.length > COUNTED_LENGTH && isImmoderate(text)) {
    throw new BroadsheetError(
      'invalid_body',
      `The response has more than ${MAX_VALUES} values, or a number of more than ${MAX_DIGITS} digits. ` +
        'Nothing was saved. Check the service address.',
    );
  }
  return HUGE_EXPONENT.test(text) || hasHugeDigits(text) ? parse(text, finiteOrDigits) : parse(text);
}

/** Looks at every 309th character only: one of them is within that many digits in a row. */
function hasHugeDigits(text: string): boolean {
  for (let at = HUGE_DIGITS - 1; at < text.length; at += HUGE_DIGITS) {
    let from = at;
    let to = at;
    while (at - from <= HUGE_DIGITS && isDigit(text.charCodeAt(from))) from -= 1;
    while (to - from <= HUGE_DIGITS && isDigit(text.charCodeAt(to))) to += 1;
    if (to - from > HUGE_DIGITS) return true;
  }
  return false;
}

function isImmoderate(text: string): boolean {
  let values = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    digits = isDigit(unit) ? digits + 1 : 0;
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === COMMA || unit === LIST || unit === OBJECT) values += 1;
    if (values > MAX_VALUES || digits > MAX_DIGITS) return true;
  }
  return false;
}

const [QUOTE, COMMA, LIST, OBJECT, BACKSLASH] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c];

function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let start = at;
    while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
    if ((at - start) % 2 === 0) return at;
  }
  return text.length;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

export function mayLoseDigits(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/** Returns the string of its digits for every number that a float would change. */
export function parseExactly(text: string): unknown {
  let compared = 0;
  return parse(text, (_name, value, { source }) => {
    if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
    compared += 1;
    return compared <= MAX_COMPARED && isExact(value, source) ? value : source;
  });
}

type Reviver = (name: string, value: Json, context: { source?: string }) => Json;

function finiteOrDigits(_name: string, value: Json, { source }: { source?: string }): Json {
  return typeof value === 'number' && !Number.isFinite(value) ? (source ?? String(value)) : value;
}

function isExact(value: number, source: string): boolean {
  // No finite float has so many digits, and comparing them takes time.
  return Number.isFinite(value) && source.length <= HUGE_DIGITS && new Big(value).eq(new Big(source));
}

/** TypeScript's types lack the third parameter of a reviver. */
const parseWith = JSON.parse as (text: string, reviver?: Reviver) => Json;

function parse(text: string, reviver?: Reviver): Json {
  const value = valueOf(text, reviver);
  return SUSPICIOUS.test(text) ? sanitize(value, 0) : value;
}

function valueOf(text: string, reviver?: Reviver): Json {
  try {
    return parseWith(text, reviver);
  } catch (cause) {
    throw new BroadsheetError('invalid_body', 'The response is not valid JSON. Nothing was saved. Try again later.', {
      cause,
    });
  }
}

function sanitize(value: Json, depth: number): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  // Records are three levels down; those nested too deeply are rejected one by one later.
  if (depth > MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((member) => sanitize(member, depth + 1));
  const members = Object.entries(value)
    .filter(([key]) => key !== '__proto__')
    .map(([key, member]): [string, Json] => [key.toWellFormed(), sanitize(member, depth + 1)]);
  return Object.fromEntries(members);
}
