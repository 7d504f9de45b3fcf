import type { enModelPage } from './en-model-page.ts';
import { plural } from './plural.ts';

const count = (n: number, other: string): string => plural('zh-CN', n, { other });

export const zhModelPage: typeof enModelPage = {
  modelPage: {
    label: '模型',
    changes: (n) => count(n, '# 处变化'),
  },
};
