import { expect, it } from 'vitest';
import { textLanguage } from '../../../../src-main/common/text.ts';

it.each([
  ['Model releases: what changed this week', 'en'],
  ['It doesn’t “just work”', 'en'],
  ['模型发布：本周的变化', 'zh'],
  ['GPT-5.5 Instant 发布', 'zh'],
  ['OpenAI 称“智能体”将成为 ChatGPT 的默认入口', 'zh'],
  ['大規模言語モデルの新しい評価', 'ja'],
  ['大语言模型の新评测与开源工具链的进展', 'zh'],
  ['초거대 언어 모델의 새로운 평가', 'ko'],
  ['DeepSeek releases a long technical report about 深度求索 and the weights of its largest model', 'en'],
  ['Новая модель', ''],
  ['𠮷野家', 'zh'],
  ['2026: 100 %', ''],
  ['', ''],
])('takes "%s" for "%s"', (text, language) => {
  expect(textLanguage(text)).toBe(language);
});

it('looks at the beginning of a long text only', () => {
  expect(textLanguage(`${'English words. '.repeat(10_000)}${'中文'.repeat(100_000)}`)).toBe('en');
});
