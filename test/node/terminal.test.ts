import { countOf } from '../../src-main/common/numbers.ts';
import { describe, expect, it } from 'vitest';
import { jsonLine, localTime, oneLine, severalLines } from '../../src-main/node/terminal-text.ts';

const ESC = '\u001b';

describe("the service's texts in a terminal", () => {
  it.each<[name: string, text: string, shown: string]>([
    ['keep their text, in any script', '推理 modèle 🚀 שלום', '推理 modèle 🚀 שלום'],
    ['keep joined emoji whole', '👩\u200d💻', '👩\u200d💻'],
    ['cannot colour or clear the screen', `${ESC}[2J${ESC}[31mred`, '\uFFFD[2J\uFFFD[31mred'],
    ['cannot name the window', `${ESC}]0;owned\u0007`, '\uFFFD]0;owned\uFFFD'],
    ['cannot use the eight-bit form of escape sequences', '\u009b2J', '\uFFFD2J'],
    ['cannot overwrite text', 'good\b\b\b\bevil\r', 'good\uFFFD\uFFFD\uFFFD\uFFFDevil '],
    ['cannot start a new line', 'one\r\ntwo\u2028three\tfour', 'one two three four'],
    ['cannot change the text direction', 'gpj.\u202Eexe', 'gpj.\uFFFDexe'],
    ['cannot hide NUL or DEL', 'a\u0000b\u007fc', 'a\uFFFDb\uFFFDc'],
    ['are well formed', 'half \ud83d pair', 'half \uFFFD pair'],
  ])('%s', (_name, text, shown) => {
    expect(oneLine(text)).toBe(shown);
  });

  it('keep their line breaks in multi-line output', () => {
    expect(severalLines(`one\r\ntwo\n${ESC}[1mthree`)).toBe('one\ntwo\n\uFFFD[1mthree');
  });
});

describe('JSON for a terminal', () => {
  it('is one line without control characters, and parses to the same value', () => {
    const value = { title: `${ESC}[2J \u009b \u007f \u202e \u2028 \n 推理`, score: 0.5, extra: [null, true] };
    const line = jsonLine(value);
    expect(line).toMatch(/^[^\p{Cc}\u2028\u202e]*$/u);
    expect(JSON.parse(line)).toEqual(value);
  });
});

describe('numbers and times', () => {
  it('are formatted for people', () => {
    expect([countOf(1, 'item'), countOf(1200, 'item')]).toEqual(['1 item', '1,200 items']);
    expect(localTime('2026-11-20T14:02:09Z')).toMatch(/^2026-11-2\d \d\d:\d\d$/);
    expect(localTime(null)).toBe('-');
    expect(localTime(`soon${ESC}`)).toBe('soon\uFFFD');
  });
});
