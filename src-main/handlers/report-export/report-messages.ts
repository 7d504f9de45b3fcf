import type { Correction, ReportKind } from '../../contract/model/report.ts';

/** What an exported report says besides the service's own texts. */
export interface ReportWords {
  /** BCP 47. */
  language: string;
  kind: Record<ReportKind, string>;
  published: string;
  /** The zone in which labels and times of an exported report are told. */
  zone: string;
  covers: string;
  flashes: string;
  corrections: string;
  correction: Record<Correction['kind'], string>;
  wholeReport: string;
  before: string;
  after: string;
  page: string;
  original: string;
  by: string;
  stored: string;
  gone: string;
}

const EN: ReportWords = {
  language: 'en',
  kind: { daily: 'Daily', weekly: 'Weekly', monthly: 'Monthly' },
  published: 'Published',
  zone: 'Shanghai time',
  covers: 'Covers',
  flashes: 'In brief',
  corrections: 'Corrections',
  correction: {
    edited: 'Edited',
    withdrawn: 'Story withdrawn',
    added: 'Story added',
    reordered: 'Order changed',
  },
  wholeReport: 'whole report',
  before: 'Before',
  after: 'After',
  page: 'View on the news site',
  original: 'Original',
  by: 'From',
  stored: 'Saved',
  gone: 'No longer available since',
};

const ZH: ReportWords = {
  language: 'zh-CN',
  kind: { daily: '日报', weekly: '周报', monthly: '月报' },
  published: '发布于',
  zone: '上海时间',
  covers: '涵盖',
  flashes: '快讯',
  corrections: '更正记录',
  correction: { edited: '内容修改', withdrawn: '撤回一条', added: '新增一条', reordered: '调整顺序' },
  wholeReport: '整份报告',
  before: '修改前',
  after: '修改后',
  page: '在来源站查看',
  original: '原文',
  by: '来源',
  stored: '保存于',
  gone: '下线时间',
};

/** @param language a BCP 47 tag */
export function reportWords(language: string): ReportWords {
  return language.toLowerCase().startsWith('zh') ? ZH : EN;
}

/** A time to the minute in Shanghai, where reports have their days; what is no time as it came. */
export function shanghaiTime(time: string | null): string | null {
  const ms = time === null ? NaN : Date.parse(time);
  if (Number.isNaN(ms)) return time;
  // Shanghai keeps no summer time.
  return new Date(ms + 8 * 3_600_000).toISOString().slice(0, 16).replace('T', ' ');
}
