import { render } from '@testing-library/svelte';
import { describe, expect, it, vi } from 'vitest';
import Title from '../../../../src-renderer/ui/text/Title.svelte';
import { breakBetweenWords } from '../../../../src-renderer/ui/text/word-breaks.ts';

describe('a title in Chinese', () => {
  it.each([
    ['整个代码库的改动，先别交给智能体', ['整个', '代码库的改动，先别', '交给', '智能体']],
    ['GPT-5 发布3个新模型', ['GPT-5 发布3个新', '模型']],
    ['《论文》：大模型', ['《论文》：大', '模型']],
    ['阶跃星辰与字节跳动发布模型', ['阶跃星辰与', '字节跳动', '发布', '模型']],
  ])('%s may break between words, but not in names, or before punctuation or single characters', (text, parts) => {
    expect(breakBetweenWords(text)).toEqual(parts);
  });

  it.each(['Agents in production', '生成AIの新しいモデルについて', ''])(
    'leaves other texts as they are: %s',
    (text) => {
      expect(breakBetweenWords(text)).toEqual([text]);
    },
  );

  it('adds no character to the text of the page', () => {
    const text = '整个代码库的改动';
    const { container } = render(Title, { text });
    expect(container.textContent).toBe(text);
    expect(container.querySelectorAll('wbr').length).toBe(breakBetweenWords(text).length - 1);
  });

  it('keeps its hits, also one across words', () => {
    const text = '整个代码库的改动，先别交给智能体';
    const { container } = render(Title, {
      text,
      ranges: [
        [0, 3],
        [12, 14],
      ],
    });
    expect(container.textContent).toBe(text);
    const hits = [...container.querySelectorAll('mark')].map(({ textContent }) => textContent);
    expect(hits).toEqual(['整个', '代', '给', '智']);
    expect(container.querySelectorAll('wbr')).toHaveLength(3);
  });

  it('is cut once, until many others have been drawn', () => {
    const cuts = vi.spyOn(Intl.Segmenter.prototype, 'segment');
    const title = (n: number): string => `第${n}号模型发布`;
    breakBetweenWords(title(0));
    breakBetweenWords(title(0));
    expect(cuts).toHaveBeenCalledTimes(1);
    for (let n = 0; n <= 400; n++) breakBetweenWords(title(n));
    breakBetweenWords(title(0));
    expect(cuts).toHaveBeenCalledTimes(402);
    cuts.mockRestore();
  });
});
