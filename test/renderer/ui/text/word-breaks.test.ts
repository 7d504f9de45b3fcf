import { render } from '@testing-library/svelte';
import { describe, expect, it } from 'vitest';
import Title from '../../../../src-renderer/ui/text/Title.svelte';
import { titleParts, withWholeAmounts } from '../../../../src-renderer/ui/text/word-breaks.ts';

function lineStarts(text: string): string[] {
  const starts: string[] = [];
  for (const { text: part, breaks } of titleParts(text)) {
    starts.push(breaks ? part : `${starts.pop() ?? ''}${part}`);
  }
  return starts;
}

describe('a title in Chinese', () => {
  it.each([
    ['整个代码库的改动，先别交给智能体', ['整个', '代码库的改动，先别', '交给', '智能体']],
    ['GPT-5 发布3个新模型', ['GPT-5 发布3个新', '模型']],
    ['《论文》：大模型', ['《论文》：大', '模型']],
    ['阶跃星辰与字节跳动发布模型', ['阶跃星辰与', '字节跳动', '发布', '模型']],
  ])('%s may break between words, but not in names, or before punctuation or single characters', (text, parts) => {
    expect(lineStarts(text)).toEqual(parts);
  });

  it.each(['Agents in production', '生成AIの新しいモデルについて', ''])(
    'leaves other texts as they are: %s',
    (text) => {
      expect(titleParts(text)).toEqual([{ text, breaks: false, whole: false }]);
    },
  );

  it('adds no character to the text of the page', () => {
    const text = '整个代码库的改动';
    const { container } = render(Title, { text });
    expect(container.textContent).toBe(text);
    expect(container.querySelectorAll('wbr').length).toBe(lineStarts(text).length - 1);
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
});

describe('a name or a figure in a title', () => {
  it.each([
    ['70.8 for the best model: how hard is SeeSay-VQA?', ['SeeSay-VQA']],
    ['Hornbeam-1 Pro runs in under 6 GB of memory', ['Hornbeam-1 Pro', '6 GB']],
    ['旧版 Fenwren 3 Flash 退役', ['Fenwren 3 Flash']],
    ['鹤鸣-3 Flash 离线运行，内存占用不到 3 GB', ['鹤鸣-3 Flash', '3 GB']],
    ['首期用电 32 兆瓦，成本下降 9 %', ['32 兆瓦', '9 %']],
    ['追平霁月-VL', ['霁月-VL']],
    ['Investors put $670 million into it', ['$670 million']],
    ['State-of-the-art, open-source, and 70.8 for the best in 2026', []],
  ])('is not cut by the end of a line: %s', (text, wholes) => {
    const { container } = render(Title, { text });
    expect([...container.querySelectorAll('.whole')].map(({ textContent }) => textContent)).toEqual(wholes);
    expect(container.textContent).toBe(text);
  });

  it.each([
    ['节约 11 % 成本，约 8 %，内存 3 GB', '节约 11\u00a0% 成本，约 8\u00a0%，内存 3\u00a0GB'],
    ['In 2026 Vantrell put 3 models up', 'In 2026 Vantrell put 3 models up'],
  ])('stays whole in other texts, too, if it is a figure: %s', (text, whole) => {
    expect(withWholeAmounts(text)).toBe(whole);
  });

  it('may be cut if a narrow window would have no room for it', () => {
    expect(titleParts('The-LongestNameOfAllThatAnybody-HasEverMadeUp-128').some(({ whole }) => whole)).toBe(false);
  });

  it('keeps the hits in it', () => {
    const { container } = render(Title, { text: 'How hard is SeeSay-VQA?', ranges: [[12, 18]] });
    expect(container.querySelector('.whole mark')?.textContent).toBe('SeeSay');
  });
});
