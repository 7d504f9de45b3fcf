import { kind } from './template.ts';
import type { Kind } from './template.ts';

/** tip: what one can do tomorrow. */
export const TIP_KINDS: readonly Kind[] = [
  kind({
    independent: true,
    titles: `
      实用技巧：把 {model} 的推理预算用在刀刃上|Spend the reasoning budget of {model} where it counts
      先分流再推理：一套省钱的{task}流程|Sort first, reason later: a thrifty routine for {task}
      简单问题别用推理模型：{task}的分流做法|Not every question needs reasoning: routing {task}`,
    leads: `
      作者整理了自己用 {model} 做{task}的做法：先用小模型分流，再把 {pct} % 的难题交给推理模型。|The author’s routine for {task}: a small model sorts, and only the hard {pct}% go to {model}.
      一篇来自生产环境的笔记，讲怎样让{task}里只有 {pct} % 的请求用到 {model} 的推理模式。|Notes from production on keeping the reasoning mode of {model} to {pct}% of requests for {task}.`,
    details: `
      分流提示只有三行，误判率约 {small} %，判错的题会自动升级重做。|The sorting prompt has three lines and errs in about {small}% of cases, which are redone one level up.
      让模型先列出不确定之处，再回答问题，误答明显减少。|Asking the model to list its doubts before answering cuts mistakes noticeably.
      超过 {rank} 轮的对话建议重新开始，并带上一段手写摘要。|Past {rank} turns, start again with a summary in your own words.
      文末附有脚本，可以统计每类请求的真实花费。|A script at the end adds up what each kind of request costs.`,
    reasons: `步骤具体，可以当天试用。|Concrete steps to try today.`,
  }),
  kind({
    independent: true,
    titles: `
      缓存、批处理、短提示：三步把账单砍掉 {pct} %|Cache, batch, shorten: three steps to a {pct}% smaller bill
      接口账单复盘：钱都花在了哪里|Where the money goes: reading an interface bill line by line
      提示里先写什么，决定了缓存能省多少|What comes first in a prompt decides what the cache saves`,
    leads: `
      作者逐行分析了一个月的接口账单，通过缓存、批处理和缩短提示，把花费降低了 {pct} %。|Reading a month’s bill line by line, the author cut it by {pct}% with caching, batching and shorter prompts.
      文章用真实账单说明，把固定内容放在提示开头、把不急的请求改为批处理，总花费可以下降 {pct} %。|With a real bill the article shows how a fixed beginning and batches for what can wait bring costs down by {pct}%.`,
    details: `
      把固定内容放在提示开头可以提高缓存命中率，实测命中从三成升到八成。|Putting the fixed part first lifts cache hits from thirty to eighty percent.
      批处理适合报表和归档，不适合用户在等的请求。|Batches suit reports and archives, not people who wait.
      在 {model} 上，删去 {count} 词的客套说明没有影响任何评测结果。|On {model}, dropping {count} words of pleasantries changed no evaluation.
      作者提醒：先量再改，否则省下的可能是不重要的部分。|Measure first, or you save where it does not matter.`,
    reasons: `有真实账单支撑，方法通用。|Backed by a real bill, and widely applicable.`,
  }),
  kind({
    independent: true,
    titles: `
      从零搭一套自己的评测：{count} 条样本就够了|Build your own evaluation with {count} samples
      别只看榜单：给{field}做一份小评测|Skip the leaderboard: a small evaluation for {field}
      一个下午做完的评测，胜过十个榜单|One afternoon, one evaluation, better than ten rankings`,
    leads: `
      教程演示如何用 {count} 条真实样本搭建自己的评测，比看榜单更能反映{field}里的效果。|How to build an evaluation from {count} real samples, which says more about {field} than any leaderboard.
      作者用一个下午为{field}整理出 {count} 条样本和评分标准，并公开了全部模板。|In one afternoon the author collects {count} samples and grading rules for {field}, and shares all templates.`,
    details: `
      先写评分标准再收集样本，可以避免不自觉地挑选容易的题目。|Write the grading rules before collecting samples, or you will pick the easy ones.
      每条样本注明来源和理由，半年后仍能看懂为什么收它。|Note source and reason with each sample, and it still makes sense in half a year.
      用 {model} 当评委时，要抽查至少 {small} 成结果。|When {model} does the grading, check a good part of it by hand.
      所有命令都附有预期输出，方便对照排错。|Every command comes with its expected output.`,
    reasons: `教程完整，含预期输出。|A complete walk-through with expected output.`,
  }),
  kind({
    independent: true,
    titles: `
      在单张显卡上跑 {model}：量化与内存的取舍|Running {model} on a single card: what quantisation costs
      {memory} GB 显存够不够？{model} 部署笔记|Are {memory} GB enough? Notes on deploying {model}
      四种量化方案对比，{model} 实测|Four quantisations of {model}, measured`,
    leads: `
      作者在一张 {memory} GB 显卡上部署 {model}，逐项比较了四种量化方案的速度与质量。|The author runs {model} on one {memory} GB card and compares four quantisations for speed and quality.
      一份可以照着做的部署笔记：一张 {memory} GB 显卡，{model}，每秒 {speed} 个词元。|Deployment notes to follow step by step: one {memory} GB card, {model}, {speed} tokens a second.`,
    details: `
      4 位量化在{task}上损失 {small} 个百分点，8 位几乎没有损失。|Four bits lose {small} points on {task}; eight lose next to nothing.
      瓶颈往往不在显存，而在加载权重时的内存峰值。|The limit is often not the card but the memory peak while weights load.
      打开投机解码后速度提高到 {times} 倍，前提是草稿模型够小。|Speculative decoding makes it {times} times faster, provided the draft model is small.
      文中列出了 {rank} 个常见报错和对应的解决办法。|{rank} common errors are listed with their cures.`,
    reasons: `数据完整，照做即可复现。|Complete figures that can be reproduced step by step.`,
  }),
];

/** opinion: what people make of it. */
export const OPINION_KINDS: readonly Kind[] = [
  kind({
    independent: true,
    titles: `
      榜单之外：我们到底在为哪种智能付费|Beyond the leaderboard: what kind of intelligence are we paying for?
      {bench} 奖励短跑，{field}需要长跑|{bench} rewards sprints, {field} needs stamina
      连续几周不出错，才是{field}要的能力|Weeks without a slip: what {field} really asks for`,
    leads: `
      作者认为，{bench} 一类的榜单奖励的是短跑，而{field}需要的是连续几周不出错的耐力。|Leaderboards such as {bench} reward sprints, the author argues, while {field} needs weeks without a slip.
      文章从{field}的日常讲起：一次惊艳的回答没有用，几周不出错才有用，而 {bench} 量不到这一点。|Starting from everyday work in {field}, the essay finds brilliance useless and reliability priceless, which {bench} cannot measure.`,
    details: `
      作者建议把“拒答得当”列为与准确率同等重要的指标。|It wants a well-judged refusal to count as much as accuracy.
      评论区的反驳集中在成本：人工复核的费用往往被低估。|Replies point at cost: checking by people is routinely underestimated.
      文中引用的数字来自 {rank} 家机构的访谈，没有公开原始记录。|The figures come from interviews at {rank} institutions, without raw notes.
      有读者提议做一个只测连续运行的榜单，已有人报名出题。|A reader proposed a ranking of endurance alone, and volunteers came forward.`,
    reasons: `论点清晰，引发了有质量的讨论。|A clear argument that started a good discussion.`,
  }),
  kind({
    independent: true,
    titles: `
      {field}不需要更大的模型，需要更好的交接|{field} does not need a larger model, it needs better hand-overs
      一次失败部署之后：谁该在什么时候接手|After a failed deployment: who steps in, and when?
      别急着把{task}交给代理|Do not hand {task} to an agent just yet`,
    leads: `
      文章以{field}的一次失败部署为例，指出问题不在模型，而在没有人知道何时该从代理手里接过{task}。|Starting from a failed deployment in {field}, the essay blames not the model but that nobody knew when to take {task} back from the agent.
      在{field}做了 {rank} 年的作者写道：{task}可以交给代理，前提是先把交接规则写清楚。|After {rank} years in {field} the author would hand {task} to agents, once the rules of hand-over are written down.`,
    details: `
      文中给出一张单页的交接清单，列出必须由人决定的 {small} 件事。|A one-page list names {small} things that people must decide.
      结尾提出一个简单的检验：删掉模型，流程是否还说得通。|It ends on a simple test: take the model away and see if the process still makes sense.
      {org} 的产品负责团队转发并承认 {product} 也缺少类似提示。|The team of {product} shared it and admits to lacking such prompts.
      不少读者补充了自己的事故记录，原帖下已有 {count} 条回复。|Readers added accidents of their own; there are {count} replies.`,
    reasons: `来自一线的经验，附可用清单。|Experience from the field, with a list to use.`,
  }),
  kind({
    independent: true,
    titles: `
      开放权重的下一步，是开放失败记录|After open weights, open failures
      我们最缺的不是模型，是失败的训练日志|What we lack is not models but logs of failed runs
      如果每个实验室都公开一次失败|If every laboratory published one failure`,
    leads: `
      文章主张，公开权重之后还应公开失败的训练记录，那才是后来者最缺的知识。|Open weights should be followed by open records of failed training runs, the essay says: that is what newcomers lack most.
      作者回顾了 {rank} 次没有成功的训练，认为公开失败比公开权重更能帮助后来者。|Looking back on {rank} unsuccessful runs, the author thinks failures teach more than weights.`,
    details: `
      {org} 的工程师在回复中补充了两组未发表的对照数据。|Engineers at {org} replied with two unpublished comparisons.
      反对意见认为，失败记录里往往混着商业秘密。|Others object that failures are full of trade secrets.
      文中估算，重复踩坑浪费的算力约占全行业的 {small} %。|It estimates that repeated mistakes waste {small}% of all compute.
      已有三个小组响应，愿意按统一模板整理自己的记录。|Three groups have offered to write theirs up on a common template.`,
    reasons: `提出了可以马上行动的主张。|Proposes something that can be acted upon at once.`,
  }),
  kind({
    independent: true,
    titles: `
      一年之后再看 {model}：哪些预言落空了|A year of {model}: the predictions that did not come true
      回头看：{model} 没有改变什么|Looking back: what {model} did not change
      关于 {model} 的十个预言，{small} 个错了|Ten predictions about {model}, {small} of them wrong`,
    leads: `
      作者回顾了 {model} 发布时的十条预言，其中 {small} 条落空，最离谱的是对{field}就业的估计。|Of ten predictions made when {model} appeared, {small} failed, the wildest being about jobs in {field}.
      发布一年之后，文章逐条核对了当初对 {model} 的十条期待：{small} 条没有发生，{field}几乎没变。|A year on, ten hopes for {model} are checked one by one: {small} did not come about, and {field} hardly changed.`,
    details: `
      推理成本的下降大多来自调度和缓存，而不是模型本身。|Most of the fall in inference cost came from scheduling and caching, not from models.
      作者批评了“更长的思考等于更好的答案”这一流行说法，并给出反例。|It takes issue with the idea that longer reasoning is better reasoning, and gives counterexamples.
      真正兑现的是那些没人愿意写的小事：表格、发票、会议记录。|What did come true was small: tables, invoices, minutes.
      全文约 {rank} 分钟读完，图表可以单独下载。|It takes {rank} minutes to read; the charts can be downloaded.`,
    reasons: `有数据支撑的反思，值得慢读。|Reflection with data behind it, worth reading slowly.`,
  }),
];
