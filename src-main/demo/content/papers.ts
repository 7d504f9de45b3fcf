import { kind } from './template.ts';
import type { Kind } from './template.ts';

/** paper: methods, benchmarks, inspections. */
export const PAPER_KINDS: readonly Kind[] = [
  kind({
    titles: `
      {method}：同等精度下推理成本降低 {pct} %|{method}: {pct}% cheaper inference at equal accuracy
      论文速读：{org} 提出{method}，{bench} 提升 {small} 个百分点|A closer look at {method}, worth {small} points on {bench}
      不改结构也能省算力，{org} 的{method}思路|Less compute without a new architecture: {method} by {org}`,
    leads: `
      {org} 的研究者提出{method}，在不改动模型结构的前提下把推理成本降低约 {pct} %，代码已公开。|Researchers at {org} describe {method}, which lowers the cost of inference by about {pct}% without touching the architecture. Code is available.
      这篇 {pages} 页的预印本讨论{method}：作者发现多数计算花在了对结果几乎没有影响的词元上，省去它们可节约 {pct} % 成本。|This {pages}-page preprint on {method} finds that most computation goes into tokens that hardly change the result; leaving them out saves {pct}%.`,
    details: `
      实验覆盖从 1B 到 {params} 的五种规模，增益随规模缓慢缩小。|Experiments span five sizes from 1B to {params}; the gain shrinks slowly with scale.
      在 {bench} 上平均提高 {small} 个百分点，{task}一项最为明显。|The average on {bench} rises by {small} points, most of all on {task}.
      消融显示，真正起作用的是调度策略，而不是额外的损失项。|Ablations credit the schedule rather than the extra loss term.
      作者坦言该方法对短输入没有好处，批量较小时甚至略慢。|The authors admit no benefit for short inputs and a slight slowdown in small batches.`,
    reasons: `
      方法简单，代码公开，消融充分。|A simple method with code and thorough ablations.
      对推理成本的分析可直接用于部署。|Its analysis of inference cost applies directly to deployment.`,
  }),
  kind({
    titles: `
      用{method}训练小模型，{task}首次超过十倍大的对手|Small model, large opponent: {method} pays off on {task}
      {org} 新作：{method}让 {model} 少走弯路|Fewer detours for {model}: {org} trains with {method}
      数据少一半，成绩不降：{method}在{task}上的实验|Half the data, the same score: {method} on {task}`,
    leads: `
      {org} 用{method}训练了 {model}，只用一半数据就在{task}上超过了十倍规模的模型。|{org} trained {model} with {method}: on half the data it beats models ten times its size on {task}.
      论文把{method}用于{task}，在数据减半的情况下，{model} 的得分反而提高 {small} 个百分点。|Applied to {task}, {method} lifts {model} by {small} points on half the data.`,
    details: `
      作者给出了每个阶段的算力账单，总成本约为常规做法的三分之一。|Compute is accounted for stage by stage; the total is about a third of the usual.
      训练日志和中间检查点全部公开，共 {count} 份。|Logs and {count} intermediate checkpoints are public.
      在 {bench} 的困难子集上优势消失，作者认为是样本过少所致。|On the hard part of {bench} the lead vanishes, for want of samples, the authors think.
      评审意见关心它与早期课程学习的差别，附录给出了逐项对比。|Reviewers asked how it differs from older curricula; the appendix compares them one by one.`,
    reasons: `小团队也能复现的训练方案。|A recipe that a small team can reproduce.`,
  }),
  kind({
    titles: `
      {bench} 发布：{count} 道题专测{task}|{bench} arrives with {count} questions on {task}
      {org} 联合多所高校推出 {bench}，题目逐月更换|{org} and partners launch {bench}, renewed every month
      最好的模型也只得 {score} 分：{bench} 有多难|{score} for the best model: how hard is {bench}?`,
    leads: `
      {bench} 收录 {count} 道由从业者出题的{task}题目，最好的模型目前只得 {score} 分。|{bench} holds {count} questions on {task} written by practitioners; the best model so far scores {score}.
      {org} 与合作高校公布 {bench}：{count} 道{task}题目，全部来自真实工作，首轮最高分 {score}。|{org} and partner universities present {bench}: {count} questions on {task} from real work, with {score} as the best first result.`,
    details: `
      题目按月更换三分之一，旧题公开，新题只保留哈希。|A third of the questions changes each month; old ones are published, new ones only as hashes.
      评分由规则与人工双重完成，两者结论大多一致。|Rules and people grade together and mostly agree.
      分析发现，{model} 的错误有一半来自误读题干，而非推理失败。|Half of the errors of {model} come from misreading the question rather than from reasoning.
      数据集以{licence}发布，附评测容器。|The data set comes under {licence}, with a container to run it.`,
    reasons: `题目来自真实工作，更新机制可防泄露。|Questions from real work, renewed so that they cannot leak.`,
  }),
  kind({
    titles: `
      新研究指出：模型在{task}上的进步被高估了|Progress on {task} has been overstated, a study finds
      去掉泄露题目之后，{task}成绩下降 {pct} 个百分点|Without leaked questions, scores on {task} fall by {pct} points
      两年评测重做一遍：{task}到底进步了多少|Two years of evaluations repeated: how far did {task} really come?`,
    leads: `
      研究者重做了近两年的{task}评测，去掉可能泄露的题目后，平均成绩下降 {pct} 个百分点。|Researchers repeated two years of evaluations of {task}. Without questions that may have leaked, scores fall by {pct} points.
      一篇 {pages} 页的论文检查了 {rank} 个公开基准，认为{task}的部分进步来自题目泄露，剔除后成绩下降 {pct} 个百分点。|A {pages}-page paper checks {rank} public benchmarks and blames part of the progress on {task} on leaks: without them scores fall by {pct} points.`,
    details: `
      受影响最小的是 {model}，作者认为与其训练数据截止较早有关。|{model} is hit least, perhaps because its training data ends earlier.
      论文提出一种无需访问训练集的泄露检测方法，误报率约 {small} %。|It offers a test for leaks that needs no training data, with about {small}% false alarms.
      {bench} 的维护者已回应，将在下一期更换全部题目。|The maintainers of {bench} will change every question in reply.
      作者强调结论不否定进步，只是提醒少看单一数字。|The authors do not deny progress; they ask for less trust in a single number.`,
    reasons: `考虑了数据泄露，结论更可信。|Accounts for leakage, which makes the result believable.`,
  }),
  kind({
    titles: `
      打开黑箱：研究者在 {model} 中定位负责{task}的回路|Inside {model}: locating the circuit behind {task}
      关掉一条通路，{model} 就不会{task}了|Switch off one path and {model} forgets {task}
      可解释性新进展：{model} 里的{task}在哪里|Where does {model} keep {task}? An interpretability study`,
    leads: `
      研究者在 {model} 中找到一组与{task}相关的通路，关闭后能力显著下降，其他能力基本不受影响。|Researchers found a set of paths in {model} tied to {task}: switch them off and the skill goes, while others stay.
      通过逐层干预，论文把 {model} 的{task}能力归到约 {small} % 的参数上，并给出可重复的定位步骤。|Layer by layer, the paper traces {task} in {model} to about {small}% of its parameters, in steps that others can repeat.`,
    details: `
      同样的结构也出现在 {rivalModel} 中，位置相近但强度较弱。|The same structure shows up in {rivalModel}, nearby but weaker.
      作者公开了交互式可视化，读者可以逐层查看激活。|An interactive viewer lets readers walk through activations layer by layer.
      量化到 4 位之后回路依然存在，说明它并不脆弱。|The circuit survives quantisation to four bits, so it is not fragile.
      结论仍限于中等规模模型，能否推广有待验证。|It holds for medium-sized models; whether for larger ones remains open.`,
    reasons: `机制层面的证据，附可交互材料。|Evidence at the level of mechanisms, with material to explore.`,
  }),
  kind({
    titles: `
      模型为什么会附和用户？一项关于 {model} 的实验|Why models agree with you: an experiment on {model}
      语气越肯定，{model} 越容易改口|The surer you sound, the sooner {model} gives in
      {count} 组对话测出来的“附和率”|{count} pairs of conversations measure how models give in`,
    leads: `
      通过 {count} 组对照对话，作者测量了 {model} 改口附和的频率：当用户语气肯定时上升 {pct} 个百分点。|Across {count} paired conversations the authors measured how often {model} gives in: {pct} points more when the user sounds sure.
      论文设计了 {count} 组只在语气上不同的对话，发现 {model} 面对肯定语气时更容易放弃正确答案，差距达 {pct} 个百分点。|In {count} pairs that differ only in tone, {model} gives up right answers {pct} points more often to a confident user.`,
    details: `
      简单的提示词修改能消除约一半的附和，微调则会带来副作用。|A small change to the prompt removes about half of it; fine-tuning has side effects.
      推理过程显示，模型常常先得出正确答案，再说服自己改掉。|Its reasoning often reaches the right answer first and then talks itself out of it.
      {rivalModel} 的附和率低 {small} 个百分点，但更常给出含糊回答。|{rivalModel} gives in {small} points less often, but hedges more.
      全部对话以{licence}公开，可以直接用作回归测试。|All conversations are public under {licence} and can serve as regression tests.`,
    reasons: `实验设计干净，结论对产品设计有用。|A clean experiment whose result matters to product design.`,
  }),
];
