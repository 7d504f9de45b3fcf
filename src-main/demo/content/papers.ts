import type { Kind } from './template.ts';

/** paper: methods, benchmarks, inspections. */
export const PAPER_KINDS: readonly Kind[] = [
  {
    zh: {
      titles: [
        '{method}：同等精度下推理成本降低 {pct} %',
        '论文速读：{org} 提出{method}，{bench} 提升 {small} 个百分点',
        '用{method}训练小模型，{task}首次超过十倍大的对手',
      ],
      leads: [
        '{org} 的研究者提出{method}，在不改动模型结构的前提下把推理成本降低约 {pct} %，代码已公开。',
        '这篇 {pages} 页的预印本讨论{method}：作者发现多数计算花在了对结果几乎没有影响的词元上。',
      ],
      details: [
        '实验覆盖从 1B 到 {params} 的五种规模，增益随规模缓慢缩小。',
        '在 {bench} 上平均提高 {small} 个百分点，{task}一项最为明显。',
        '消融显示，真正起作用的是调度策略，而不是额外的损失项。',
        '作者坦言该方法对短输入没有好处，批量较小时甚至略慢。',
      ],
    },
    en: {
      titles: [
        '{method}: {pct}% cheaper inference at equal accuracy',
        'A closer look at {method}, worth {small} points on {bench}',
        'Small model, large opponent: {method} pays off on {task}',
      ],
      leads: [
        'Researchers at {org} describe {method}, which lowers the cost of inference by about {pct}% without touching the architecture. Code is available.',
        'This {pages}-page preprint on {method} finds that most computation goes into tokens that hardly change the result.',
      ],
      details: [
        'Experiments span five sizes from 1B to {params}; the gain shrinks slowly with scale.',
        'The average on {bench} rises by {small} points, most of all on {task}.',
        'Ablations credit the schedule rather than the extra loss term.',
        'The authors admit no benefit for short inputs and a slight slowdown in small batches.',
      ],
    },
    reasons: [
      { zh: '方法简单，代码公开，消融充分。', en: 'A simple method with code and thorough ablations.' },
      { zh: '对推理成本的分析可直接用于部署。', en: 'Its analysis of inference cost applies directly to deployment.' },
    ],
  },
  {
    zh: {
      titles: [
        '{bench} 发布：{count} 道题专测{task}',
        '新基准指出：模型在{task}上的进步被高估了',
        '{org} 联合多所高校推出 {bench}，题目逐月更换',
      ],
      leads: [
        '{bench} 收录 {count} 道由从业者出题的{task}题目，最好的模型目前只得 {score} 分。',
        '研究者重做了近两年的{task}评测，去掉可能泄露的题目后，平均成绩下降 {pct} 个百分点。',
      ],
      details: [
        '题目按月更换三分之一，旧题公开，新题只保留哈希。',
        '评分由规则与人工双重完成，一致率为 {score} %。',
        '分析发现，{model} 的错误有一半来自误读题干，而非推理失败。',
        '数据集以{licence}发布，附评测容器。',
      ],
    },
    en: {
      titles: [
        '{bench} arrives with {count} questions on {task}',
        'Progress on {task} has been overstated, a new benchmark finds',
        '{org} and partners launch {bench}, renewed every month',
      ],
      leads: [
        '{bench} holds {count} questions on {task} written by practitioners; the best model so far scores {score}.',
        'Researchers repeated two years of evaluations of {task}. Without questions that may have leaked, scores fall by {pct} points.',
      ],
      details: [
        'A third of the questions changes each month; old ones are published, new ones only as hashes.',
        'Rules and people grade together and agree in {score}% of cases.',
        'Half of the errors of {model} come from misreading the question rather than from reasoning.',
      ],
    },
    reasons: [{ zh: '考虑了数据泄露，结论更可信。', en: 'Accounts for leakage, which makes the result believable.' }],
  },
  {
    zh: {
      titles: [
        '打开黑箱：研究者在 {model} 中定位负责{task}的回路',
        '可解释性新进展：剪掉 {small} % 的通路，能力几乎不变',
        '模型为什么会附和用户？一项关于 {model} 的实验',
      ],
      leads: [
        '研究者在 {model} 中找到一组与{task}相关的通路，关闭后能力显著下降，其他能力基本不受影响。',
        '通过 {count} 组对照对话，作者测量了 {model} 改口附和的频率：当用户语气肯定时上升 {pct} 个百分点。',
      ],
      details: [
        '同样的结构也出现在 {rivalModel} 中，位置相近但强度较弱。',
        '简单的提示词修改能消除约一半的附和，微调则会带来副作用。',
        '作者公开了交互式可视化，读者可以逐层查看激活。',
        '结论仍限于中等规模模型，能否推广有待验证。',
      ],
    },
    en: {
      titles: [
        'Inside {model}: locating the circuit behind {task}',
        'Why models agree with you: an experiment on {model}',
        'Cut {small}% of the paths and little changes, an interpretability study shows',
      ],
      leads: [
        'Researchers found a set of paths in {model} tied to {task}: switch them off and the skill goes, while others stay.',
        'Across {count} paired conversations the authors measured how often {model} gives in: {pct} points more when the user sounds sure.',
      ],
      details: [
        'The same structure shows up in {rivalModel}, nearby but weaker.',
        'A small change to the prompt removes about half of it; fine-tuning has side effects.',
        'An interactive viewer lets readers walk through activations layer by layer.',
      ],
    },
    reasons: [
      { zh: '机制层面的证据，附可交互材料。', en: 'Evidence at the level of mechanisms, with material to explore.' },
    ],
  },
];
