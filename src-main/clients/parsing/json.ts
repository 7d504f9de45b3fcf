import Big from 'big.js';
import { BroadsheetError } from '../../contract/errors.ts';
import type { Json } from '../../contract/model/json.ts';

/** No response nests deeper. More could overflow the stack of recursive code such as JSON.stringify. */
const DEEPEST = 64;

/**
 * Lone surrogates, which only an escape can put into valid UTF-8, and dangerous member names. Few responses contain them,
 * and searching the text is much faster than walking the values.
 */
const SUSPICIOUS = /\\u(?:d[89a-f]|005f)|__proto__/i;

/** A number whose exponent may be too large for a float. Ids and hashes look alike, but are quoted. */
const HUGE_EXPONENT = /\d[eE]\+?\d{3,}\s*[,}\]]/;
/** A number of so many digits is too large for a float. */
const HUGE_DIGITS = 309;

/** A number of more digits than a float always keeps. Quoted digits don't match. */
const LONG_NUMBER = /[\d.]{16}(?:[eE][+-]?\d{1,6})?\s*[,}\]]/;

/**
 * Parses a body into JSON values that can be stored: lone surrogates become U+FFFD, `__proto__` members are dropped, and a
 * number too large for a float becomes the string of its digits. Errors: `invalid_body`.
 */
export function parseJson(text: string): unknown {
  return HUGE_EXPONENT.test(text) || hasHugeDigits(text) ? parse(text, finiteOrDigits) : parse(text);
}

/** Looks at every 309th character only, because one of them is within so many digits in a row. */
function hasHugeDigits(text: string): boolean {
  for (let at = HUGE_DIGITS - 1; at < text.length; at += HUGE_DIGITS) {
    let from = at;
    let to = at;
    while (isDigit(text.charCodeAt(from))) from -= 1;
    while (isDigit(text.charCodeAt(to))) to += 1;
    if (to - from > HUGE_DIGITS) return true;
  }
  return false;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Whether a body has a number with so many digits that a float may have another value. */
export function mayLoseDigits(text: string): boolean {
  return LONG_NUMBER.test(text);
}

/** Like {@link parseJson}, with the string of its original digits for every number that a float would change. */
export function parseExactly(text: string): unknown {
  return parse(text, (_name, value, { source }) =>
    typeof value === 'number' && source !== undefined && !isExact(value, source) ? source : value,
  );
}

/** Whether a value is nested at most {@link DEEPEST} levels. */
export function isShallow(value: Json | undefined, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth < DEEPEST && Object.values(value).every((member) => isShallow(member, depth + 1));
}

type Reviver = (name: string, value: Json, context: { source?: string }) => Json;

function finiteOrDigits(_name: string, value: Json, { source }: { source?: string }): Json {
  return typeof value === 'number' && !Number.isFinite(value) ? (source ?? String(value)) : value;
}

/** Whether the shortest decimal of a float is the number that was sent. */
function isExact(value: number, source: string): boolean {
  return Number.isFinite(value) && new Big(value).eq(new Big(source));
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
  if (depth > 2 * DEEPEST) return null;
  if (Array.isArray(value)) return value.map((member) => sanitized(member, depth + 1));
  const members = Object.entries(value)
    .filter(([key]) => key !== '__proto__')
    .map(([key, member]): [string, Json] => [key.toWellFormed(), sanitized(member, depth + 1)]);
  return Object.fromEntries(members);
}
