import type { ItemRow } from '../../../src-main/contract/model/item.ts';

const TITLES = [
  'Northlight opens the weights of its 32B reasoning model',
  '北光开放 320 亿参数推理模型权重，附完整训练日志',
  'A small lab reports that longer chains of thought stop helping after eight thousand tokens',
  '论文：稀疏注意力在百万级上下文中的检索误差可降低一半',
  'Harbor adds background tasks to its coding assistant',
  '海港助手上线后台任务：可在离开时继续运行测试并汇总结果',
  'Why evaluation suites age faster than models do',
  '观点：为什么评测集比模型老得更快',
  'Chip maker Ostrava raises output of inference cards by 40 per cent for the coming year, citing orders from three cloud providers and two national labs',
  '提示词技巧：让模型先列出不确定之处再作答',
];
const SUMMARIES = [
  'The release includes the base model, the tuned one and a report on failed runs. The licence allows commercial use; the training data are described but not published.',
  '此次发布包括基础模型、微调模型以及失败实验的报告。许可证允许商业使用；训练数据有说明但未公开。作者称，最难的部分不是规模，而是在奖励信号稀疏时保持稳定。',
  'Across six tasks the gain flattened at the same point, whatever the size of the model. The authors suggest a stopping rule that costs nothing at run time and keeps the answers as good.',
];
const SOURCES = ['Northlight Blog', '深度观察', 'Papers Weekly', 'The Harbor Changelog', '芯片日报'];
const CATEGORIES = ['ai-models', 'ai-products', 'industry', 'paper', 'tip', 'opinion'];

/** A made-up row; equal numbers give equal rows. Row 0 is the newest. */
export function madeUpRow(n: number, now: number, changes: Partial<ItemRow> = {}): ItemRow {
  const chinese = n % 2 === 1;
  const discovered = new Date(now - n * 37 * 60_000).toISOString();
  return {
    id: `item-${n}`,
    leftSelectionAt: null,
    withdrawnAt: null,
    effectiveAt: discovered,
    title: TITLES[n % TITLES.length]!,
    originalTitle: n % 4 === 3 ? TITLES[(n - 1) % TITLES.length]! : null,
    summary: SUMMARIES[chinese ? 1 : n % 4 === 0 ? 0 : 2]!,
    source: { name: SOURCES[n % SOURCES.length]! },
    links: { original: `https://news.example/${n}`, aihot: `https://service.example/items/${n}` },
    publishedAt: n % 9 === 8 ? null : new Date(now - n * 37 * 60_000 - 3_600_000).toISOString(),
    discoveredAt: discovered,
    category: CATEGORIES[n % CATEGORIES.length]!,
    score: 55 + ((n * 17) % 45),
    selected: n % 3 !== 2,
    reason:
      n % 2 === 0
        ? 'First open release of this size with its failed runs documented.'
        : '同等规模中首个公开失败实验的发布。',
    attribution: n % 3 === 0 ? { name: 'Made-up Wire', url: 'https://wire.example/' } : null,
    extra: n % 5 === 0 ? { readingMinutes: 4, topics: ['open-weights', 'reasoning'] } : {},
    inSelectedSet: n % 3 !== 2,
    revisedAt: null,
    state: { readAt: n % 7 === 3 ? discovered : null, starredAt: n % 11 === 4 ? discovered : null },
    models: [],
    snippets: [],
    ...changes,
  };
}
