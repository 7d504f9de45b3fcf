import type { Json } from '../../../src-main/contract/model/model.ts';
import { SeededRandom } from '../../../src-main/demo/random.ts';

/** Replaces a place in a body that is no JSON value: numbers that a float can't hold. */
const RAW = ['1e999', '-1e400', '9'.repeat(400), '0.1234567890123456789', '-0'];
const RAW_MARK = 'raw-number-';

const TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u202Eright to left',
  '<script>alert(1)</script>',
  '__proto__',
  '../../etc/passwd',
  'javascript:alert(1)',
  'http://127.0.0.1:1/',
  '9999-12-31T23:59:59Z',
  '-271821-04-20T00:00:00Z',
  '2026-02-30T25:61:61Z',
  '9999-12-31',
  '2026-W99',
  '2026-13',
  'x'.repeat(100_000),
  '😀'.repeat(20_000),
  '*a **b '.repeat(10_000),
  '一'.repeat(50_000),
  '🏳️‍🌈'.repeat(500),
];
const NUMBERS = [0, -1, 1e21, 2 ** 53, -(2 ** 63), 1e308, 5e-324, 0.5];

function oddValue(random: SeededRandom): Json {
  return random.pick<() => Json>([
    () => random.pick(TEXTS),
    () => random.pick(NUMBERS),
    () => RAW_MARK + String(random.between(0, RAW.length - 1)),
    () => null,
    () => random.chance(0.5),
    () => [],
    () => ({}),
    () => nested(random.between(1, 500)),
    () => Array.from({ length: random.between(1, 2000) }, (_, n) => n),
    () => Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`member-${n}`, 'x'.repeat(50)])),
    () => ['\ud800', '\udfff\ud800'],
  ])();
}

function nested(depth: number): Json {
  let value: Json = 'deep';
  for (let n = 0; n < depth; n += 1) value = n % 2 ? [value] : { more: value };
  return value;
}

type Holder = Record<string, Json> | Json[];

/** Every object and list of a value. */
function holdersIn(value: Json, found: Holder[] = []): Holder[] {
  if (typeof value !== 'object' || value === null) return found;
  found.push(value);
  for (const member of Object.values(value)) holdersIn(member, found);
  return found;
}

function changeValue(value: Json, random: SeededRandom): void {
  const holders = holdersIn(value).filter((one) => Object.keys(one).length > 0);
  if (holders.length === 0) return;
  const holder = random.pick(holders);
  const name = random.pick(Object.keys(holder)) as keyof Holder;
  const members = holder as Record<string, Json>;
  const other = random.pick(holders) as Record<string, Json>;
  random.pick([
    () => void (members[name as string] = oddValue(random)),
    () => void (members[name as string] = oddValue(random)),
    () => void Reflect.deleteProperty(holder, name),
    () => void (members[`${name as string}x`] = oddValue(random)),
    () => void (members[name as string] = structuredClone(other)),
    () => {
      if (Array.isArray(holder)) holder.push(...Array.from({ length: 50 }, () => structuredClone(random.pick(holder))));
    },
    () => {
      if (Array.isArray(holder)) holder.reverse();
    },
  ])();
}

/** The text of a body with an odd value, a doubled or missing part for each of the seeds. */
export function changeBody(body: string, seeds: readonly number[]): string {
  const value = JSON.parse(body) as Json;
  for (const seed of seeds) changeValue(value, new SeededRandom(seed));
  return JSON.stringify(value).replace(new RegExp(`"${RAW_MARK}(\\d)"`, 'g'), (_, digit) => RAW[Number(digit)] ?? '0');
}

/** The same bytes with some cut off, repeated, left out or changed. Mostly not JSON. */
export function changeText(body: string, seed: number): string {
  const random = new SeededRandom(seed);
  const at = random.between(0, Math.max(0, body.length - 1));
  const end = Math.min(body.length, at + random.between(1, 2000));
  return random.pick([
    () => body.slice(0, at),
    () => body.slice(0, at) + body.slice(end),
    () => body.slice(0, end) + body.slice(at),
    () =>
      body.slice(0, at) +
      random.pick(['"', '\\', '{', ']', ',', '\0', '\u2028', '1', 'e', '\\ud800']) +
      body.slice(at + 1),
    () => body.repeat(2),
    () => `\uFEFF${body}`,
  ])();
}
