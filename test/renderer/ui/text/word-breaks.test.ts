import { render } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import Title from '../../../../src-renderer/ui/text/Title.svelte';
import { breakBetweenWords } from '../../../../src-renderer/ui/text/word-breaks.ts';

describe('a headline in Chinese', () => {
  it.each([
    ['整个代码库的改动，先别交给智能体', ['整个', '代码库的改动，先别', '交给', '智能体']],
    ['GPT-5 发布3个新模型', ['GPT-5 发布3个新', '模型']],
    ['《论文》：大模型', ['《论文》：大', '模型']],
  ])('%s may break between words, but not before punctuation or single characters', (text, parts) => {
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
    expect(container.textContent.trim()).toBe(text);
    expect(container.querySelectorAll('wbr').length).toBe(breakBetweenWords(text).length - 1);
  });
});
