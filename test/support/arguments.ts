import fc from 'fast-check';
import type { z } from 'zod';

/**
 * Arguments of methods, made from their guards: well-typed values, random or extreme, whether or not the guard accepts
 * them. New methods are covered without a line here.
 */

type Path = readonly (string | number)[];

/** The introspection of zod for each kind of schema. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: readonly z.ZodType[];
  entries?: Record<string, string | number>;
  values?: readonly unknown[];
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  checks?: readonly { _zod: { def: { check: string; maximum?: number } } }[];
}

interface Bounds {
  maxLength?: number | null;
  minValue?: number | null;
  maxValue?: number | null;
}

const definitionOf = (schema: z.ZodType): Definition => schema.def;
const boundsOf = (schema: z.ZodType): Bounds => schema as Bounds;

const NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.5,
  2 ** 31,
  2 ** 32,
  1e15,
  8.64e15,
  8.64e15 + 1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 53,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
];

const TEXTS = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  '__proto__',
  'constructor',
  '"',
  '"" *',
  '-',
  '*',
  'NEAR(a b)',
  "'; DROP TABLE item; --",
  '%',
  '../..',
  '.',
  '0000-00-00',
  '9999-12-31',
  '9999-W53',
  '9999-12',
  '23:59',
  'http://127.0.0.1:1',
  'http://127.0.0.1:1/a%2F..//.',
  '{}',
  '[]',
  'null',
  '\u{1f004}'.repeat(64),
  'é'.repeat(512),
  'x'.repeat(100_000),
];

/** Values of the guard's type, mostly ones that it accepts. `words` are texts that mean something to the app. */
export function argumentsOf(schema: z.ZodType, words: readonly string[]): fc.Arbitrary<unknown> {
  const one = definitionOf(schema);
  switch (one.type) {
    case 'object':
      return objectOf(one.shape ?? {}, words);
    case 'string':
      return textOf(schema, words);
    case 'number':
      return numberOf(schema);
    case 'boolean':
      return fc.boolean();
    case 'enum':
      return fc.constantFrom(...Object.values(one.entries ?? {}));
    case 'literal':
      return fc.constantFrom(...(one.values ?? []));
    case 'union':
      return fc.oneof(...(one.options ?? []).map((option) => argumentsOf(option, words)));
    case 'nullable':
      return one.innerType ? fc.option(argumentsOf(one.innerType, words), { freq: 2 }) : fc.constant(null);
    case 'optional':
      return one.innerType ? argumentsOf(one.innerType, words) : fc.constant(undefined);
    case 'array':
      return fc.array(one.element ? argumentsOf(one.element, words) : fc.constant(null), { maxLength: 12 });
    case 'record':
      return fc.constantFrom(...TEXTS).map((name) => Object.fromEntries([[name, 'k']]));
    default:
      throw new Error(`Arguments of the type ${one.type} are not made yet.`);
  }
}

function objectOf(shape: Record<string, z.ZodType>, words: readonly string[]): fc.Arbitrary<unknown> {
  const fields = Object.entries(shape);
  const model = Object.fromEntries(fields.map(([name, field]) => [name, argumentsOf(field, words)]));
  const required = fields.filter(([, field]) => definitionOf(field).type !== 'optional').map(([name]) => name);
  return fc.record(model, { requiredKeys: required, noNullPrototype: true });
}

function numberOf(schema: z.ZodType): fc.Arbitrary<unknown> {
  const { minValue, maxValue } = boundsOf(schema);
  const [least, most] = [minValue ?? 0, Math.min(maxValue ?? 1e15, Number.MAX_SAFE_INTEGER)];
  const within = fc.integer({ min: Math.ceil(least), max: Math.floor(most) });
  return fc.oneof({ weight: 4, arbitrary: within }, { weight: 1, arbitrary: fc.constantFrom(...NUMBERS) });
}

function textOf(schema: z.ZodType, words: readonly string[]): fc.Arbitrary<unknown> {
  const usable = words.filter((word) => schema.safeParse(word).success);
  const others = [fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 30 })].map((arbitrary) => ({
    weight: 1,
    arbitrary,
  }));
  return usable.length === 0
    ? fc.oneof(...others)
    : fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...usable) }, ...others);
}

/** One part of the guard's type with an extreme value, and usual values in the other parts. Null if it has no parts. */
export function extremeArgumentsOf(schema: z.ZodType, words: readonly string[]): fc.Arbitrary<unknown> | null {
  const extremes = leavesOf(schema).flatMap(({ path, schema: leaf }) =>
    extremesOf(leaf).map((value) => ({ path, value })),
  );
  if (extremes.length === 0) return null;
  return fc
    .tuple(argumentsOf(schema, words), fc.constantFrom(...extremes))
    .map(([args, { path, value }]) => put(args, path, value));
}

function extremesOf(schema: z.ZodType): unknown[] {
  const one = definitionOf(schema);
  const { maxLength, maxValue } = boundsOf(schema);
  if (one.type === 'number') return [...NUMBERS, ...(typeof maxValue !== 'number' ? [] : [maxValue, maxValue + 1])];
  if (one.type === 'string') {
    const longest =
      typeof maxLength !== 'number' || maxLength > 1e6 ? [] : ['a'.repeat(maxLength), '字'.repeat(maxLength + 1)];
    return [...TEXTS, ...longest];
  }
  if (one.type === 'array' && one.element) {
    const most = mostOf(schema) ?? 100;
    const filled = (length: number): unknown[] => Array.from({ length }, () => put(null, [], sampleOf(one.element!)));
    return [[], filled(most), filled(most + 1), filled(10_000)];
  }
  if (one.type === 'record') {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key-${n}`, 'k']));
    return [{}, JSON.parse('{"__proto__": "k", "constructor": "k"}'), many];
  }
  if (one.type === 'enum') return Object.values(one.entries ?? {});
  if (one.type === 'literal') return [...(one.values ?? [])];
  if (one.type === 'nullable') return [null];
  return one.type === 'boolean' ? [true, false] : [];
}

function sampleOf(schema: z.ZodType): unknown {
  const one = definitionOf(schema);
  return one.type === 'enum' ? Object.values(one.entries ?? {})[0] : 'ab';
}

export interface Leaf {
  path: Path;
  schema: z.ZodType;
}

/** Every text, number, list and choice of a guard, with its place in the arguments. */
export function leavesOf(schema: z.ZodType, path: Path = []): Leaf[] {
  const one = definitionOf(schema);
  const inner = one.innerType ? leavesOf(one.innerType, path) : [];
  if (one.type === 'object') {
    return Object.entries(one.shape ?? {}).flatMap(([name, field]) => leavesOf(field, [...path, name]));
  }
  if (one.type === 'optional') return inner;
  if (one.type === 'nullable') return [{ path, schema }, ...inner];
  if (one.type === 'union') return (one.options ?? []).flatMap((option) => leavesOf(option, path));
  if (one.type === 'array' && one.element) return [{ path, schema }, ...leavesOf(one.element, [...path, 0])];
  if (one.type === 'record' && one.keyType && one.valueType) {
    return [{ path, schema }, ...[one.keyType, one.valueType].flatMap((part) => leavesOf(part, [...path, 'key']))];
  }
  return [{ path, schema }];
}

/** Returns true if a guard refuses values beyond some size. */
export function isBounded({ schema }: Leaf): boolean {
  const { type } = definitionOf(schema);
  const { maxLength, minValue, maxValue } = boundsOf(schema);
  if (type === 'string') return typeof maxLength === 'number';
  // Without own bounds zod names those of exact integers.
  if (type === 'number') return (minValue ?? -Infinity) >= 0 && (maxValue ?? Infinity) < Number.MAX_SAFE_INTEGER;
  if (type === 'array') return mostOf(schema) !== null;
  if (type === 'record') {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key-${n}`, 'k']));
    return !schema.safeParse(many).success;
  }
  return ['boolean', 'enum', 'literal', 'nullable'].includes(type);
}

function mostOf(schema: z.ZodType): number | null {
  const checks = definitionOf(schema).checks ?? [];
  const most = checks.map(({ _zod }) => _zod.def).find(({ check }) => check === 'max_length');
  return most?.maximum ?? null;
}

/** A copy of `args` with another value in one place. Parts on the way that are missing are added. */
function put(args: unknown, path: Path, value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (typeof first === 'number') return [put(Array.isArray(args) ? args[first] : undefined, rest, value)];
  const members = typeof args === 'object' && args !== null && !Array.isArray(args) ? args : {};
  const copy = new Map(Object.entries(members));
  copy.set(first, put(copy.get(first), rest, value));
  return Object.fromEntries(copy);
}
