import { describe, expect, it } from 'vitest';
import { foldText, indexText, tokensOf } from '../../../src-main/store/search/search-text.ts';
import { randomText, seededRandom } from './search-items.ts';

/** All tokens with their positions in the original text. */
function placed(text: string): { token: string; start: number; end: number }[] {
  const { offsets } = foldText(text);
  return tokensOf(text).map((token, n) => ({ token, start: offsets[3 * n + 1] ?? -1, end: offsets[3 * n + 2] ?? -1 }));
}

describe('tokens', () => {
  it.each([
    ['GPT-5 is Out', 'gpt 5 is out'],
    ['推理模型 o3-mini发布', '推 理 模 型 o3 mini 发 布'],
    ['ＧＰＴ－４ｏ', 'gpt 4o'],
    ['Café cafe\u0301 naïve Ångström', 'cafe cafe naive angstrom'],
    ['Straße STRASSE', 'strasse strasse'],
    ['Σίσυφος ΣΊΣΥΦΟΣ', 'σισυφοσ σισυφοσ'],
    ['İstanbul ISTANBUL', 'istanbul istanbul'],
    ['ﬁne ½ ① x²', 'fine 1 2 1 x2'],
    ['Claude™ Gemini®', 'claude gemini'],
    ['が か\u3099 ガ ｶﾞ ﾊﾟ', 'が が ガ ガ パ'],
    ['한글 \u1112\u1161\u11ab글', '한 글 한 글'],
    ['𠮷野家 葛\u{e0100}', '𠮷 野 家 葛'],
    ['𝐁𝐨𝐥𝐝 text', 'bold text'],
    ['हिन्दी', 'हिन्दी'],
    ['co\u00adop\u200derate', 'cooperate'],
    ['🚀👩‍💻 1️⃣', '1'],
    ["don't_stop", 'don t stop'],
    ['\0\ud800a\udc00', 'a'],
    [' \n…—「」', ''],
    ['', ''],
  ])('of %j are %j', (text, tokens) => {
    expect(indexText(text)).toBe(tokens);
    expect(tokensOf(text).join(' ')).toBe(tokens);
    expect(foldText(text).folded).toBe(tokens);
  });

  it('have their positions in the original text', () => {
    const text = 'ﬁne 推か\u3099 cafe\u0301! 葛\u{e0100} 𠮷';
    expect(placed(text).map(({ start, end }) => text.slice(start, end))).toEqual([
      ...['ﬁne', '推', 'か\u3099', 'cafe\u0301', '葛\u{e0100}', '𠮷'],
    ]);
  });

  it('are in order, separate, and unchanged when their original text is tokenized alone', () => {
    const random = seededRandom(3);
    for (let i = 0; i < 500; i++) {
      const text = randomText(random, 12);
      let end = 0;
      for (const { token, start, end: itsEnd } of placed(text)) {
        expect(start).toBeGreaterThanOrEqual(end);
        expect(indexText(text.slice(start, itsEnd))).toBe(token);
        end = itsEnd;
      }
    }
  });

  it('are cut at a maximum length, in texts of any length', () => {
    expect(indexText(`${'x'.repeat(500)} y`)).toBe(`${'x'.repeat(64)} y`);
    expect(indexText('模'.repeat(100_000))).toHaveLength(199_999);
    expect(indexText('ﷺ '.repeat(50_000))).toHaveLength(19 * 50_000 - 1);
  });
});
