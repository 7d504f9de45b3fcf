import type { Kind } from './template.ts';

/** ai-models: releases, previews, prices, retirements. */
export const MODEL_KINDS: readonly Kind[] = [
  {
    zh: {
      titles: [
        '{org} 开源 {model}：{params} 参数，{bench} 得分 {score}',
        '{model} 权重今日开放下载，{org} 采用{licence}',
        '{org} 发布 {model} 并公开训练细节，主打{task}',
        '开放权重再添一员：{model} 上线，上下文长度 {context}',
      ],
      leads: [
        '{org} 今天开放了 {model} 的全部权重，模型总参数 {params}，每次推理激活其中 {active}，采用{licence}发布。',
        '{model} 的权重、分词器和一份 {pages} 页的技术报告同日上线，{org} 称这是其首个从数据到评测全程可复核的模型。',
      ],
      details: [
        '在 {bench} 上，它得到 {score} 分，比同规模的 {rivalModel} 高出 {pct} 个百分点，但在{task}上仍有差距。',
        '报告披露训练共用 {tokens} 词元，其中约 {pct} % 为合成数据，并给出了去重前后的对照实验。',
        '官方建议用两张 {memory} GB 显卡部署 8 位量化版；社区在数小时内已放出 4 位版本。',
        '上下文窗口为 {context}，超过一半长度后检索准确率下降约 {small} 个百分点，报告没有回避这一点。',
        '许可条款允许商用，但要求月活超过一定规模的产品另行登记。',
      ],
    },
    en: {
      titles: [
        '{org} opens the weights of {model}, a {params} model scoring {score} on {bench}',
        '{model} is out under {licence}, training notes included',
        'Open weights: {org} ships {model} with a {context} context window',
      ],
      leads: [
        '{org} has released the full weights of {model}. The model has {params} parameters, of which {active} are active per token, and comes under {licence}.',
        'The weights of {model}, its tokenizer and a {pages}-page technical report went up today; {org} calls it the first of its models that outsiders can retrace from data to evaluation.',
      ],
      details: [
        'It scores {score} on {bench}, {pct} points above {rivalModel} at a similar size, though it still trails on {task}.',
        'The report puts training at {tokens} tokens, about {pct}% of them synthetic, with ablations before and after deduplication.',
        'An 8-bit build fits on two {memory} GB cards; a community 4-bit version followed within hours.',
        'Retrieval accuracy drops by about {small} points past half of the {context} window, which the authors say openly.',
      ],
    },
    reasons: [
      {
        zh: '开放权重并附完整训练说明，可复核程度在同规模中少见。',
        en: 'Open weights with unusually complete training notes for its size.',
      },
      {
        zh: '多家同时报道，{bench} 成绩已有独立复现。',
        en: 'Covered widely, and the {bench} result has been reproduced independently.',
      },
    ],
  },
  {
    zh: {
      titles: [
        '{org} 预览推理模型 {model}：先想后答，思考长度可调',
        '{model} 开始小范围测试，{org} 首次公开推理预算开关',
        '推理模型新选手 {model} 亮相，{bench} 提升 {pct} 个百分点',
      ],
      leads: [
        '{org} 放出新推理模型 {model} 的预览版，开发者可以按请求设定思考词元上限，从 512 到 {context} 不等。',
        '{model} 面向{task}做了专门训练，回答前会先生成可折叠的推理过程，{org} 表示该过程不计入上下文长度。',
      ],
      details: [
        '在 {bench} 上，思考预算每翻一倍成绩提高约 {small} 个百分点，到 32K 之后趋于平缓。',
        '预览期价格为每百万输入词元 {price} 美元，推理词元按输出计费。',
        '早期测试者指出，简单问题上它有时仍会想得过久，平均延迟约为 {rivalModel} 的 {times} 倍。',
        '{org} 同时公布了一组失败案例，主要集中在单位换算和前提自相矛盾的题目。',
        '正式版预计在 {weeks} 周后开放，届时会提供按任务自动选择预算的模式。',
      ],
    },
    en: {
      titles: [
        '{org} previews {model}, a new reasoning model tuned for {task}',
        'Hands-on with {model}: a new reasoning model you can put on a budget',
        '{model} thinks before it answers, and gains {pct} points on {bench}',
      ],
      leads: [
        '{org} has put {model}, its new reasoning model, into preview. Developers set a limit on thinking tokens for each request, from 512 up to {context}.',
        '{model} was trained for {task} and writes out a collapsible chain of reasoning before it answers; {org} says that chain does not count against the context window.',
      ],
      details: [
        'Every doubling of the thinking budget adds about {small} points on {bench}, flattening out beyond 32K.',
        'During the preview it costs ${price} per million input tokens; reasoning tokens are billed as output.',
        'Early testers say it still overthinks easy questions, with {times} times the latency of {rivalModel}.',
        '{org} also published a set of failures, mostly unit conversions and questions with contradictory premises.',
      ],
    },
    reasons: [
      {
        zh: '推理预算可控，是近期推理模型里少见的工程取舍。',
        en: 'A controllable reasoning budget is a rare engineering choice among recent models.',
      },
      { zh: '首批实测数据，含失败案例。', en: 'First hands-on figures, failures included.' },
    ],
  },
  {
    zh: {
      titles: [
        '{model} 可在手机上离线运行，内存占用不到 {small} GB',
        '{org} 推出端侧模型 {model}，旧款芯片也能跑',
        '小模型这一周：{model} 把{task}搬到本地',
      ],
      leads: [
        '{org} 发布面向手机和笔记本的 {model}，量化后内存占用不足 {small} GB，断网状态下也能完成{task}。',
        '{model} 主打端侧：在三年前的手机芯片上每秒可生成 {speed} 个词元，首词延迟约 {latency} 毫秒。',
      ],
      details: [
        '模型由更大的 {rivalModel} 蒸馏而来，团队公布了蒸馏数据的来源比例。',
        '连续使用半小时耗电约 {pct} %，机身温度上升并不明显。',
        '在 {bench} 上它只比云端版本低 {small} 个百分点，差距主要出现在长文本。',
        '开发包支持三种主流推理框架，示例应用已随代码一起放出。',
      ],
    },
    en: {
      titles: [
        '{model} runs offline on a phone in under {small} GB of memory',
        '{org} squeezes {task} onto older laptops with {model}',
        'On-device again: {model} reaches {speed} tokens a second on a three-year-old phone',
      ],
      leads: [
        '{org} has released {model} for phones and laptops. Quantised, it needs less than {small} GB of memory and handles {task} without a network.',
        '{model} is built for devices: {speed} tokens a second on a three-year-old phone, with about {latency} ms to the first one.',
      ],
      details: [
        'It is distilled from the larger {rivalModel}; the team lists where the distillation data came from.',
        'Half an hour of steady use costs roughly {pct}% of a battery.',
        'On {bench} it lands within {small} points of the hosted version, the gap being mostly long text.',
        'The kit supports three common inference runtimes and comes with a sample app.',
      ],
    },
    reasons: [
      { zh: '端侧可用性有明确的耗电与延迟数据。', en: 'On-device claims backed by battery and latency figures.' },
    ],
  },
  {
    zh: {
      titles: [
        '{org} 下调 {model} 接口价格，输入降至每百万词元 {price} 美元',
        '{model} 缓存命中再打折，{org} 调整计费口径',
        '{org} 宣布 {rivalModel} 将于 {weeks} 周后停止服务',
      ],
      leads: [
        '{org} 更新接口价目：{model} 输入价降至每百万词元 {price} 美元，缓存命中部分另享折扣，即日生效。',
        '从本周起，{org} 按实际缓存词元计费，{model} 的长对话成本约下降 {pct} %。',
      ],
      details: [
        '批处理接口同步降价，但完成时限由 12 小时放宽到 24 小时。',
        '旧版本在 {weeks} 周后下线，官方给出了逐条参数的迁移对照表。',
        '有开发者测算，{task}一类的任务每月账单可减少约 {pct} %。',
        '免费额度不变，超额后的限速规则改为按分钟滑动计算。',
      ],
    },
    en: {
      titles: [
        '{org} cuts {model} to ${price} per million input tokens',
        'Cached tokens get cheaper on {model} as {org} rewrites its price list',
        '{org} sets a retirement date for older {model} endpoints',
      ],
      leads: [
        '{org} has updated its price list: {model} now costs ${price} per million input tokens, with a further discount for cached ones, effective today.',
        'From this week {org} bills the tokens that were really cached, which lowers long conversations with {model} by about {pct}%.',
      ],
      details: [
        'Batch prices fall as well, while the completion window widens from 12 to 24 hours.',
        'Older versions retire in {weeks} weeks; a table maps every parameter to its successor.',
        'One developer puts the saving for {task} at {pct}% a month.',
      ],
    },
    reasons: [
      { zh: '直接影响接口成本，附迁移期限。', en: 'Changes what the interface costs, with a deadline to move.' },
    ],
  },
  {
    zh: {
      titles: [
        '独立评测：{model} 在{task}上追平 {rivalModel}',
        '我们把 {model} 跑了 {count} 道题：强项与短板',
        '{bench} 更新榜单，{model} 上升 {rank} 位',
      ],
      leads: [
        '{outletZh}用 {count} 道未公开题目测试了 {model}，总分 {score}，与 {rivalModel} 的差距落在误差范围内。',
        '{bench} 本月更新后，{model} 上升 {rank} 位，主要得益于{task}一项的进步。',
      ],
      details: [
        '评测者每题重复五次并公布全部输出，方差比上一代小了约 {pct} %。',
        '它在需要承认“不知道”的题目上表现较好，误答率降到 {small} %。',
        '中文题目的得分比英文低 {small} 个百分点，错误多出在古文和方言。',
        '评测脚本与题目哈希已公开，便于他人复核。',
      ],
    },
    en: {
      titles: [
        'Independent test: {model} draws level with {rivalModel} on {task}',
        '{count} questions later: where {model} is strong and where it is not',
        '{bench} refreshed: {model} climbs {rank} places',
      ],
      leads: [
        '{outletEn} put {model} through {count} unpublished questions. It scored {score}, within the margin of error of {rivalModel}.',
        'After this month’s update of {bench}, {model} climbs {rank} places, mostly thanks to {task}.',
      ],
      details: [
        'Each question was asked five times and every output is public; variance is down about {pct}% on the generation before.',
        'It does well where the right answer is “I don’t know”, with wrong answers down to {small}%.',
        'Chinese questions score {small} points below English ones, chiefly classical texts and dialects.',
      ],
    },
    reasons: [{ zh: '独立评测，方法与原始输出公开。', en: 'Independent, with method and raw outputs in the open.' }],
  },
];
