import { BroadsheetError } from '../../contract/errors.ts';
import type { Json } from '../../contract/model/json.ts';

/** Nesting that no answer needs and that recursive code, JSON.stringify included, cannot be sure to survive. */
const DEEPEST = 64;

/**
 * What only an escape can bring into valid UTF-8 (lone surrogates) or what is dangerous as a key. Hardly any answer holds
 * one, and a search over the text costs far less than a walk over the values.
 */
const SUSPICIOUS = /\\u(?:d[89a-f]|005f)|__proto__/i;

/** What may be a number too great for any float. Hardly any answer has one; ids and hashes look like it, but are quoted. */
const ENDLESS = /(?:\d[eE]\+?\d{3,}|\d{309})\s*[,}\]]/;

/**
 * A body as JSON values that can be stored: lone surrogates become U+FFFD, members called `__proto__` are left out, and a
 * number that no float can hold is the text of its digits, since JSON has no infinity. Errors: `invalid_body`.
 */
export function parseJson(text: string): unknown {
  return ENDLESS.test(text) ? parse(text, finiteOrDigits) : parse(text);
}

/** The same, with every number as the text of the digits that stood there. */
export function parseDigits(text: string): unknown {
  return parse(text, (_name, value, { source }) => (typeof value === 'number' ? (source ?? String(value)) : value));
}

/** Whether a value nests no deeper than can be kept. */
export function isShallow(value: Json | undefined, depth = 0): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return depth < DEEPEST && Object.values(value).every((member) => isShallow(member, depth + 1));
}

type Reviver = (name: string, value: Json, context: { source?: string }) => Json;

function finiteOrDigits(_name: string, value: Json, { source }: { source?: string }): Json {
  return typeof value === 'number' && !Number.isFinite(value) ? (source ?? String(value)) : value;
}

/** The language's types do not know yet that a reviver is told the text of a value. */
const parseWith = JSON.parse as (text: string, reviver?: Reviver) => Json;

function parse(text: string, reviver?: Reviver): Json {
  const value = valueOf(text, reviver);
  return SUSPICIOUS.test(text) ? harmless(value, 0) : value;
}

function valueOf(text: string, reviver?: Reviver): Json {
  try {
    return parseWith(text, reviver);
  } catch (cause) {
    throw new BroadsheetError(
      'invalid_body',
      'The answer is not valid JSON. Nothing of it was kept; try again later.',
      {
        cause,
      },
    );
  }
}

function harmless(value: Json, depth: number): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  // The records themselves are three levels down; what lies far below them is refused one by one.
  if (depth > 2 * DEEPEST) return null;
  if (Array.isArray(value)) return value.map((member) => harmless(member, depth + 1));
  const members = Object.entries(value)
    .filter(([key]) => key !== '__proto__')
    .map(([key, member]): [string, Json] => [key.toWellFormed(), harmless(member, depth + 1)]);
  return Object.fromEntries(members);
}
