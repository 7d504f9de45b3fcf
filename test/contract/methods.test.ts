import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import * as guards from '../../src-main/contract/guards.ts';
import { checkArgs, guardOf, isOfKind, METHOD_NAMES, type MethodName } from '../../src-main/contract/methods.ts';
import { isBounded, leavesOf } from '../support/arguments.ts';

/** The introspection of zod. */
interface Definition {
  type: string;
  format?: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  options?: readonly z.ZodType[];
  entries?: Record<string, string>;
  values?: readonly unknown[];
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  catchall?: z.ZodType;
  checks?: readonly { _zod: { def: Check } }[];
}

interface Check {
  check: string;
  format?: string;
  minimum?: number;
  maximum?: number;
  length?: number;
  value?: number;
  pattern?: RegExp;
}

const NAMED = Object.entries(guards).flatMap(([name, guard]) => (typeof guard === 'function' ? [] : [{ name, guard }]));

/** Each guard that has a name is described once. */
function describeUse(schema: z.ZodType): string {
  return NAMED.find(({ guard }) => guard === schema)?.name ?? describeGuard(schema);
}

function describeGuard(schema: z.ZodType): string {
  const one: Definition = schema.def;
  const inner = one.innerType ? describeUse(one.innerType) : '';
  const checks = (one.checks ?? []).map(({ _zod }) => describeCheck(_zod.def)).join('');
  switch (one.type) {
    case 'object':
      return `${describeMembers(one.shape ?? {})}${one.catchall?.def.type === 'never' ? '' : ' and others'}`;
    case 'enum':
      return Object.values(one.entries ?? {}).join(' | ');
    case 'literal':
      return (one.values ?? []).join(' | ');
    case 'union':
      return (one.options ?? []).map(describeUse).join(' | ');
    case 'nullable':
      return `${inner} | null`;
    case 'array':
      return `[${one.element ? describeUse(one.element) : ''}]${checks}`;
    case 'record':
      return `<${[one.keyType, one.valueType].map((part) => part && describeUse(part)).join(': ')}>${checks}`;
    default:
      return `${one.format ?? one.type}${checks}`;
  }
}

function describeMembers(shape: Record<string, z.ZodType>): string {
  const members = Object.entries(shape).map(([name, member]) => {
    const { type, innerType }: Definition = member.def;
    return type === 'optional' && innerType ? `${name}?: ${describeUse(innerType)}` : `${name}: ${describeUse(member)}`;
  });
  const line = `{ ${members.join(', ')} }`;
  return line.length < 100 ? line : `{\n${members.join('\n').replaceAll(/^/gm, '  ')}\n}`;
}

function describeCheck({ check, minimum, maximum, length, value, pattern, format }: Check): string {
  const figure = minimum ?? maximum ?? length ?? value ?? pattern ?? format;
  return `, ${check}${figure === undefined ? '' : ` ${String(figure)}`}`;
}

const KINDS = ['read', 'engine', 'host'] as const;
const kindOf = (name: MethodName): string => KINDS.find((kind) => isOfKind(name, kind)) ?? '';

const WORKLOAD = { tokensIn: 1000, tokensOut: 0, tokensCached: 1_000_000_000, requestsAMonth: 30 };
const ADDRESSES: [good: string[], bad: string[]] = [
  ['https://a.example', 'http://127.0.0.1:1/base'],
  ['', 'a.example', 'ftp://a.example', 'http://user:word@a.example', 'http://a.example/?q=1', 'javascript:alert(1)'],
];
const LABELS = ['2026', 'latest', '2026-W1', '../items'];
const NOTES = ['2026-11-20', 'daily/2026-11-31', 'daily/2026-11-20/x'];
/** Names that would be in another folder. */
const FILES = ['', '.', '..', '../a.pdf', 'a/b.pdf', 'a\\b.pdf', 'a\u0000.pdf', 'a\n.pdf'];

const messageOf = (method: MethodName, args: unknown): string => {
  try {
    checkArgs(method, args);
  } catch (error) {
    if (error instanceof BroadsheetError) return error.message;
  }
  throw new Error('The arguments were accepted.');
};

describe('the methods', () => {
  it('take these arguments, and no others', async () => {
    const shared = NAMED.map(({ name, guard }) => `${name} ${describeGuard(guard)}`);
    const methods = METHOD_NAMES.map((name) => `${name} (${kindOf(name)}) ${describeGuard(guardOf(name))}`);
    await expect(`${[...shared, '', ...methods].join('\n')}\n`).toMatchFileSnapshot('./arguments.snapshot');
  });

  it.each<[what: string, method: MethodName, argsOf: (value: unknown) => unknown, good: unknown[], bad: unknown[]]>([
    ['an address', 'source.test', (address) => ({ address }), ...ADDRESSES],
    ['a proxy', 'settings.set', (proxy) => ({ patch: { proxy } }), ['none', 'http://127.0.0.1:1'], ['a.example:8080']],
    ['a source', 'sources.get', (name) => ({ name }), ['X：Lab (@lab)'], [' ']],
    ['the query of a rule', 'mutes.add', (query) => ({ query }), ['category:paper'], ['  ']],
    ['the name of a rule', 'saved.change', (name) => ({ id: 'a1b2', name }), ['B'], [' ']],
    ['a workload', 'workloads.save', (name) => ({ workload: { ...WORKLOAD, name } }), ['Chat'], [' ']],
    ['an alias', 'models.setAliases', (alias) => ({ id: 'a/b', aliases: [alias] }), ['ab'], ['a', ' a ']],
    ['kinds', 'search.find', (kinds) => ({ text: '', limit: 1, in: kinds }), [['items']], [['items', 'items']]],
    ['a story', 'stories.get', (publicId) => ({ publicId }), ['a', 'x'.repeat(128)], ['', 'x'.repeat(129)]],
    ['a report', 'reports.get', (label) => ({ kind: 'daily', label }), ['2026-03-18', '2026-W12'], LABELS],
    ['a month', 'reports.feedFrame', (month) => ({ kind: 'daily', month }), ['2026-03'], ['2026-13', 'March']],
    ['a time', 'reports.feedFrame', (updatedAt) => ({ kind: 'daily', updatedAt }), ['2026-03-18'], ['soon']],
    ['a note', 'notes.get', (id) => ({ kind: 'report', id }), ['weekly/2026-W47'], NOTES],
    ['a key', 'gateway.setKey', (key) => ({ key }), ['k', '!"#$%&/()=?~'], ['', 'a key', 'key\n', 'schlüssel']],
    ['a place', 'app.savePlace', (place) => ({ place }), ['notes', `notes#${'x'.repeat(15_994)}`], ['', 'settings']],
    [
      'a link',
      'app.show',
      (link) => ({ link }),
      ['broadsheet://story/a'],
      ['', 'https://a.example/', 'broadsheet://x/a'],
    ],
    ['a file', 'page.savePdf', (name) => ({ name }), ['日报 2026.pdf', '...'], FILES],
    ['a backup', 'data.restore', (name) => ({ name }), ['user-2026-03-18T06-30-00-000Z.db'], FILES],
    ['a mirror', 'data.removeParkedMirror', (id) => ({ id }), ['0123456789abcdef'], ['..', '0123456789ABCDEF']],
    ['a device', 'devices.remove', (device) => ({ device }), ['0123456789abcdef'], ['../0123456789abc']],
  ])('take %s only as it has to be', (_, method, argsOf, good, bad) => {
    for (const value of good) expect(checkArgs(method, argsOf(value))).toEqual(argsOf(value));
    for (const value of bad) {
      const refused = { code: 'invalid_argument', message: expect.stringContaining(`${method}: `) as string };
      expect(() => checkArgs(method, argsOf(value)), String(value)).toThrow(expect.objectContaining(refused) as Error);
    }
  });

  it('bound every text, number and list', () => {
    const unbounded = METHOD_NAMES.flatMap((method) =>
      leavesOf(guardOf(method))
        .filter((leaf) => !isBounded(leaf))
        .map(({ path }) => `${method}: ${path.join('.')}`),
    );
    expect(unbounded).toEqual([]);
  });

  it('take each resource once', () => {
    expect(messageOf('sync.run', { urgency: 'now', resources: ['items', 'items'] })).toMatch(/^sync\.run: resources: /);
    expect(messageOf('sync.run', { urgency: 'now', resources: Array(100_000).fill('items') }).length).toBeLessThan(300);
  });

  it.each([
    ['settings.set', { patch: { ['k'.repeat(50_000)]: 1 } }],
    ['counts.get', { ['k'.repeat(50_000)]: 1 }],
    ['settings.set', { patch: { shortcuts: { ['\u{1f004}'.repeat(20_000)]: 'a' } } }],
    ['counts.get', Object.fromEntries(Array.from({ length: 5_000 }, (_, n) => [`key-${n}`, 1]))],
  ] as const)('cut what their errors quote of %s', (method, args) => {
    const message = messageOf(method, args);
    expect(message.length).toBeLessThan(300);
    expect(message.isWellFormed()).toBe(true);
    expect(message).toMatch(new RegExp(`^${method}: `));
  });
});
