import type { enModels } from './en-models.ts';
import { formatCount, plural } from './plural.ts';

const count = (n: number, other: string): string => plural('zh-CN', n, { other });

export const zhModels: typeof enModels = {
  models: {
    count: (n) => count(n, '# 个模型'),
    countOf: (n, all) => `${formatCount('zh-CN', n)} / ${count(all, '# 个模型')}`,
    listing: '显示哪个列表',
    listings: { models: '模型', embeddings: '嵌入模型' },
    panel: '显示什么',
    panels: { table: '表格', chart: '图表', changes: '变更' },
    page: '模型',
    backToTable: '返回表格',
    closePage: '关闭模型页面',
    comparison: '对比',
    compareFull: (n) => `最多可对比 ${n} 个模型，请先移除一个。`,
  },
};
