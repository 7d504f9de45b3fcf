import Big from 'big.js';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Json } from '../../contract/model/json.ts';

/** Values nested deeper in a body with suspicious parts are dropped. */
const DEEPEST = 128;

/**
 * Lone surrogates, which only an escape can put into valid UTF-8, and dangerous member names. Few responses contain them,
 * and searching the text is much faster than walking the values.
 */
const SUSPICIOUS = /\\u(?:d[89a-f]|005f)|__proto__/i;

/** A number whose exponent may be too large for a float. Ids and hashes look alike, but are quoted. */
const HUGE_EXPONENT = /\d[eE]\+?\d{3,}\s*[,}\]]/;
/** A number of so many digits is too large for a float. */
const HUGE_DIGITS = 309;

/** In UTF-16 units. Only longer bodies are counted: what fits into others is parsed in a fifth of a second at most. */
const COUNTED_LENGTH = 2 * 1024 * 1024;
/**
 * The largest page of a real service has 30,000 values. Each takes time and memory, however short it is, and 32 MiB can
 * be 16 million values.
 */
const MOST_VALUES = 300_000;
/** Far more than a number needs. */
const MOST_DIGITS = 1_000;

/**
 * A number of more digits than a float always keeps. Quoted digits don't match. It is only looked for where digits begin,
 * and not much further, so that the time it takes depends on the length only.
 */
const LONG_NUMBER = /(?<![\d.])[\d.]{16,1000}(?:[eE][+-]?\d{1,6})?\s*[,}\]]/;
/** So many numbers that a float would change are compared exactly. Real lists have a few hundred. */
const MOST_COMPARED = 20_000;

/**
 * Parses a body into JSON values that can be stored: lone surrogates become U+FFFD, `__proto__` members are dropped, and a
 * number too large for a float becomes the string of its digits. Errors: `invalid_body`, also for too many values.
 */
export function parseJson(text: string): unknown {
  if (text.length > COUNTED_LENGTH && isImmoderate(text)) throw immoderate();
  return HUGE_EXPONENT.test(text) || hasHugeDigits(text) ? parse(text, finiteOrDigits) : parse(text);
}

/** Looks at every 309th character only, because one of them is within so many digits in a row. */
function hasHugeDigits(text: string): boolean {
  for (let at = HUGE_DIGITS - 1; at < text.length; at += HUGE_DIGITS) {
    let from = at;
    let to = at;
    // Both stop at a number that is too large, so that the work for each is the same.
    while (at - from <= HUGE_DIGITS && isDigit(text.charCodeAt(from))) from -= 1;
    while (to - from <= HUGE_DIGITS && isDigit(text.charCodeAt(to))) to += 1;
    if (to - from > HUGE_DIGITS) return true;
  }
  return false;
}

/**
 * Counts what begins or separates values, and the digits of numbers, outside of strings. For a body that is not JSON the
 * counts are meaningless.
 */
function isImmoderate(text: string): boolean {
  let values = 0;
  let digits = 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    digits = isDigit(unit) ? digits + 1 : 0;
    if (unit === QUOTE) at = endOfString(text, at);
    else if (unit === COMMA || unit === LIST || unit === OBJECT) values += 1;
    if (values > MOST_VALUES || digits > MOST_DIGITS) return true;
  }
  return false;
}

const [QUOTE, COMMA, LIST, OBJECT, BACKSLASH] = [0x22, 0x2c, 0x5b, 0x7b, 0x5c];

/** The index of the quote that ends the string which begins at `from`. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let start = at;
    while (text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
    if ((at - start) % 2 === 0) return at;
  }
  return text.length;
}

function immoderate(): BroadsheetError {
  return new BroadsheetError(
    'invalid_body',
    `The response has more than ${MOST_VALUES} values, or a number of more than ${MOST_DIGITS} digits. ` +
      'Nothing was saved. Check the service address.',
  );
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Checks for a number with so many digits that a float may have another value. */
export function mayLoseDigits(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/** Like {@link parseJson}, with the string of its original digits for every number that a float would change. */
export function parseExactly(text: string): unknown {
  let compared = 0;
  return parse(text, (_name, value, { source }) => {
    if (typeof value !== 'number' || source === undefined || String(value) === source) return value;
    compared += 1;
    // Digits are right in any case.
    return compared <= MOST_COMPARED && isExact(value, source) ? value : source;
  });
}

type Reviver = (name: string, value: Json, context: { source?: string }) => Json;

function finiteOrDigits(_name: string, value: Json, { source }: { source?: string }): Json {
  return typeof value === 'number' && !Number.isFinite(value) ? (source ?? String(value)) : value;
}

/** Checks that the shortest decimal of a float is the number that was sent. */
function isExact(value: number, source: string): boolean {
  // No float that is not a huge one has so many digits, and comparing them takes time.
  return Number.isFinite(value) && source.length <= HUGE_DIGITS && new Big(value).eq(new Big(source));
}

/** TypeScript's types lack the third parameter of a reviver. */
const parseWith = JSON.parse as (text: string, reviver?: Reviver) => Json;

function parse(text: string, reviver?: Reviver): Json {
  const value = valueOf(text, reviver);
  return SUSPICIOUS.test(text) ? sanitized(value, 0) : value;
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

function sanitized(value: Json, depth: number): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  // Records are three levels down; those nested too deeply are rejected one by one later.
  if (depth > DEEPEST) return null;
  if (Array.isArray(value)) return value.map((member) => sanitized(member, depth + 1));
  const members = Object.entries(value)
    .filter(([key]) => key !== '__proto__')
    .map(([key, member]): [string, Json] => [key.toWellFormed(), sanitized(member, depth + 1)]);
  return Object.fromEntries(members);
}
