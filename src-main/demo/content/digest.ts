import { PURPOSE, Dice } from '../dice.ts';
import { subjectOf } from './facts.ts';
import { both, tell } from './template.ts';
import type { Category } from './template.ts';

const CONTRADICTIONS = [
  '**与先前报道的出入**：最早的几篇报道写的是“{small} 周内”，{org} 的公告里是 {weeks} 周，本文以公告为准。',
  '**与先前报道的出入**：首批消息称涉及 {rank} 家机构，后续核实为 {small} 家，其余仍在洽谈。',
  '**与先前报道的出入**：{outletZh}起初给出的比例是 {pct} %，作者已在当天更正并说明了口径。',
];

const OUTLOOKS = [
  '接下来值得留意的是{task}上的独立评测，以及 {rival} 是否跟进。',
  '目前没有看到 {rival} 的回应；{field}从业者更关心的是何时能在自己的环境里试用。',
  '{org} 表示将在 {weeks} 周内公布更多数据，届时这里会一并更新。',
];

/**
 * What is known of an event, in paragraphs of light Markdown; rewritten as reports arrive: with six of them what they disagree
 * about is stated. Null while there are only three.
 */
export function digestOf(seed: number, event: number, category: Category, reports: number): string | null {
  if (reports <= 3) return null;
  const { kind, fact } = subjectOf(seed, event, event, category);
  const dice = new Dice(seed, PURPOSE.story, event, 2);
  const details = dice.some(kind.details, 3);
  const paragraphs = [
    kind.leads[0]?.zh ?? '',
    details
      .slice(0, 2)
      .map(({ zh }) => zh)
      .join(''),
    ...(reports >= 6 ? [dice.pick(CONTRADICTIONS)] : []),
    `${details[2]?.zh ?? ''}${dice.pick(OUTLOOKS)}`,
  ];
  return paragraphs.map((paragraph) => tell(both(paragraph), fact, 'zh')).join('\n\n');
}
