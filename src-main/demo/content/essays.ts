import type { Kind } from './template.ts';

/** tip: what one can do tomorrow. */
export const TIP_KINDS: readonly Kind[] = [
  {
    zh: {
      titles: [
        '实用技巧：把 {model} 的推理预算用在刀刃上',
        '一份可直接套用的{task}提示词模板',
        '缓存、批处理、短提示：三步把账单砍掉 {pct} %',
      ],
      leads: [
        '作者整理了自己用 {model} 做{task}的做法：先用小模型分流，再把 {pct} % 的难题交给推理模型。',
        '文章给出一套可复制的{task}模板，分为目标、材料、限制和输出格式四段，并解释每段为什么这样写。',
      ],
      details: [
        '把固定内容放在提示开头可以提高缓存命中率，实测命中从三成升到 {score} %。',
        '让模型先列出不确定之处，再回答问题，误答减少约 {pct} %。',
        '超过 {rank} 轮的对话建议重新开始，并带上一段手写摘要。',
        '文末附有脚本，可以统计每类请求的真实花费。',
      ],
    },
    en: {
      titles: [
        'Spend the reasoning budget of {model} where it counts',
        'A prompt for {task} that you can use as it is',
        'Cache, batch, shorten: three steps to a {pct}% smaller bill',
      ],
      leads: [
        'The author’s routine for {task}: a small model sorts, and only the hard {pct}% go to {model}.',
        'A reusable prompt for {task} in four parts, goal, material, limits and output, with the reason for each.',
      ],
      details: [
        'Putting the fixed part first lifts cache hits to {score}%.',
        'Asking the model to list its doubts before answering cut mistakes by about {pct}%.',
        'Past {rank} turns, start again with a summary in your own words.',
        'A script at the end adds up what each kind of request costs.',
      ],
    },
    reasons: [{ zh: '步骤具体，可以当天试用。', en: 'Concrete steps to try today.' }],
  },
  {
    zh: {
      titles: [
        '从零搭一套自己的评测：{count} 条样本就够了',
        '微调还是检索？一张决策表说清楚',
        '在单张显卡上跑 {model}：量化与内存的取舍',
      ],
      leads: [
        '教程演示如何用 {count} 条真实样本搭建自己的评测，比看榜单更能反映{field}里的效果。',
        '作者在一张 {memory} GB 显卡上部署 {model}，逐项比较了四种量化方案的速度与质量。',
      ],
      details: [
        '先写评分标准再收集样本，可以避免不自觉地挑选容易的题目。',
        '4 位量化在{task}上损失 {small} 个百分点，8 位几乎没有损失。',
        '检索适合会变的事实，微调适合不变的格式，两者可以叠加。',
        '所有命令都附有预期输出，方便对照排错。',
      ],
    },
    en: {
      titles: [
        'Build your own evaluation with {count} samples',
        'Fine-tune or retrieve? One table decides',
        'Running {model} on a single card: what quantisation costs',
      ],
      leads: [
        'How to build an evaluation from {count} real samples, which says more about {field} than any leaderboard.',
        'The author runs {model} on one {memory} GB card and compares four quantisations for speed and quality.',
      ],
      details: [
        'Write the grading rules before collecting samples, or you will pick the easy ones.',
        'Four bits lose {small} points on {task}; eight lose next to nothing.',
        'Retrieval suits facts that change, tuning suits formats that do not; they combine.',
      ],
    },
    reasons: [{ zh: '教程完整，含预期输出。', en: 'A complete walk-through with expected output.' }],
  },
];

/** opinion: what people make of it. */
export const OPINION_KINDS: readonly Kind[] = [
  {
    zh: {
      titles: [
        '榜单之外：我们到底在为哪种智能付费',
        '观点：{field}不需要更大的模型，需要更好的交接',
        '别急着把{task}交给代理',
      ],
      leads: [
        '作者认为，{bench} 一类的榜单奖励的是短跑，而{field}需要的是连续几周不出错的耐力。',
        '文章以{field}的一次失败部署为例，指出问题不在模型，而在没有人知道何时该接手。',
      ],
      details: [
        '他建议把“拒答得当”列为与准确率同等重要的指标。',
        '评论区的反驳集中在成本：人工复核的费用往往被低估。',
        '文中引用的数字来自 {rank} 家机构的访谈，没有公开原始记录。',
        '结尾提出一个简单的检验：删掉模型，流程是否还说得通。',
      ],
    },
    en: {
      titles: [
        'Beyond the leaderboard: what kind of intelligence are we paying for?',
        '{field} does not need a larger model, it needs better hand-overs',
        'Do not hand {task} to an agent just yet',
      ],
      leads: [
        'Leaderboards such as {bench} reward sprints, the author argues, while {field} needs weeks without a slip.',
        'Starting from a failed deployment in {field}, the essay blames not the model but that nobody knew when to step in.',
      ],
      details: [
        'It wants a well-judged refusal to count as much as accuracy.',
        'Replies point at cost: checking by people is routinely underestimated.',
        'The figures come from interviews at {rank} institutions, without raw notes.',
        'It ends on a simple test: take the model away and see if the process still makes sense.',
      ],
    },
    reasons: [{ zh: '论点清晰，引发了有质量的讨论。', en: 'A clear argument that started a good discussion.' }],
  },
  {
    zh: {
      titles: [
        '开放权重的下一步，是开放失败记录',
        '推理模型越来越贵，便宜的那一半在哪里',
        '一年之后再看 {model}：哪些预言落空了',
      ],
      leads: [
        '作者回顾了 {model} 发布时的十条预言，其中 {small} 条落空，最离谱的是对{field}就业的估计。',
        '文章主张，公开权重之后还应公开失败的训练记录，那才是后来者最缺的知识。',
      ],
      details: [
        '推理成本的下降大多来自调度和缓存，而不是模型本身。',
        '作者批评了“更长的思考等于更好的答案”这一流行说法，并给出反例。',
        '{org} 的工程师在回复中补充了两组未发表的对照数据。',
        '全文约 {pages} 分钟读完，图表可以单独下载。',
      ],
    },
    en: {
      titles: [
        'After open weights, open failures',
        'Reasoning gets dearer: where is the cheap half?',
        'A year of {model}: the predictions that did not come true',
      ],
      leads: [
        'Of ten predictions made when {model} appeared, {small} failed, the wildest being about jobs in {field}.',
        'Open weights should be followed by open records of failed training runs, the essay says: that is what newcomers lack most.',
      ],
      details: [
        'Most of the fall in inference cost came from scheduling and caching, not from the models.',
        'It takes issue with the idea that longer reasoning is better reasoning, and gives counterexamples.',
        'Engineers at {org} replied with two unpublished comparisons.',
      ],
    },
    reasons: [{ zh: '有数据支撑的反思，值得慢读。', en: 'Reflection with data behind it, worth reading slowly.' }],
  },
];
