import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { sourceKey, sourceLabel } from '../../src-main/common/source-label.ts';

/** Limit of a name, in UTF-16 units; the rest is cut off. */
const LONGEST_NAME = 2_000;

describe('the short name of a source', () => {
  it.each([
    ['X：OpenAI Developers (@OpenAIDevs)', 'OpenAI Developers'],
    ['X: OpenAI Developers (@OpenAIDevs)', 'OpenAI Developers'],
    ['X：宝玉（@dotey）', '宝玉'],
    ['x：Name (@handle)', 'Name'],
    ['X：Name', 'Name'],
    ['Twitter：Name (@handle)', 'Name'],
    ['Weibo：Name (@handle)', 'Name'],
    ['Anthropic：Long name（note in full-width brackets）', 'Anthropic：Long name'],
    ['OpenAI：官网动态（RSS · 排除企业/客户案例）', 'OpenAI：官网动态'],
    ['IT之家（RSS）', 'IT之家'],
    ['The Verge (AI) [RSS]', 'The Verge'],
    ['Lab【官方】（中文）', 'Lab'],
    ['Lab (a note (in a note))', 'Lab'],
    ['Lab（一半)', 'Lab'],
    ['  Lab   News  ', 'Lab News'],
    ['Hugging Face Daily Papers', 'Hugging Face Daily Papers'],
    ['X', 'X'],
    ['Xinhua：News', 'Xinhua：News'],
    ['Name (note) and more', 'Name (note) and more'],
    ['Name (half', 'Name (half'],
    ['half) Name)', 'half) Name)'],
    // A name that would become empty stays.
    ['（RSS）', '（RSS）'],
    ['X：(@handle)', 'X：(@handle)'],
    ['X：', 'X：'],
    ['', ''],
  ])('of %j is %j', (name, label) => {
    expect(sourceLabel(name)).toBe(label);
  });

  it('of no name is empty, and a long one is cut', () => {
    expect([sourceLabel(null), sourceLabel(undefined)]).toEqual(['', '']);
    expect(sourceLabel(`X：${'a'.repeat(100)} (@handle)`, 10)).toBe(`${'a'.repeat(10)}…`);
  });

  it.each([
    ['pairs', `a${'()'.repeat(900)}`, 'a'],
    ['nested ones', `a${'('.repeat(900)}${')'.repeat(900)}`, 'a'],
    ['more than a name can have', `${'('.repeat(500_000)}${')'.repeat(500_000)}`, `${'('.repeat(10)}…`],
    ['unbalanced ones', `a${')'.repeat(1_900)}`, `a${')'.repeat(9)}…`],
  ])('of a name full of brackets takes a look or two a character: %s', (_, name, label) => {
    const looks = vi.spyOn(String.prototype, 'charAt');
    onTestFinished(() => {
      looks.mockRestore();
    });
    expect(sourceLabel(name, 10)).toBe(label);
    expect(looks.mock.calls.length).toBeLessThanOrEqual(2 * LONGEST_NAME);
  });

  it('looks only at the beginning of a name', () => {
    const name = `Lab: ${'a'.repeat(LONGEST_NAME - 20)}`;
    expect(sourceLabel(`${name} (@handle)`, 10)).toBe(`${'a'.repeat(10)}…`);
    expect(sourceLabel(`${name} ${'a'.repeat(20)} (@handle)`, 10)).toBe('Lab: aaaaa…');
  });
});

describe('the key of a source', () => {
  it('is that of every name of it', () => {
    const names = ['X：Open Lab (@openlab)', 'OPEN  LAB', 'Open Lab（RSS）', 'Ｏｐｅｎ Lab'];
    expect(new Set(names.map(sourceKey))).toEqual(new Set(['open lab']));
    expect(sourceKey('Open Labs')).not.toBe(sourceKey('Open Lab'));
    expect([sourceKey(null), sourceKey(' ')]).toEqual(['', '']);
  });

  it('of its label is its own, also for a name that is far too long', () => {
    for (const name of ['X：宝玉（@dotey）', '（RSS）', `X：${'ab '.repeat(5_000)}(@handle)`]) {
      expect(sourceKey(sourceLabel(name, 300))).toBe(sourceKey(name));
      expect(sourceKey(name).length).toBeLessThanOrEqual(200);
    }
  });
});
