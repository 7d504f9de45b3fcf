import { kind } from './template.ts';
import type { Kind } from './template.ts';

/** ai-models: releases, previews, prices, retirements, measurements. */
export const MODEL_KINDS: readonly Kind[] = [
  kind({
    titles: `
      {org} 开源 {model}：{params} 参数，{bench} 得分 {score}|{org} opens the weights of {model}, a {params} model scoring {score} on {bench}
      {model} 权重今日开放下载，附完整训练说明|{model} is out under {licence}, training notes included
      开放权重再添一员：{model} 上线，上下文长度 {context}|Open weights: {org} ships {model} with a {context} context window
      {org} 公开 {model} 的权重与数据配方，主打{task}|{org} shares weights and data recipe of {model}, built for {task}`,
    leads: `
      {org} 今天开放了 {model} 的全部权重，模型总参数 {params}，每次推理激活其中 {active}，采用{licence}发布。|{org} has released the full weights of {model}: {params} parameters, {active} of them active for each token, under {licence}.
      {model} 的权重、分词器和一份 {pages} 页的技术报告同日上线，{org} 称这是其首个从数据到评测全程可复核的模型。|Weights, tokenizer and a {pages}-page report of {model} went up today; {org} calls it its first model that outsiders can retrace from data to evaluation.`,
    details: `
      在 {bench} 上，它得到 {score} 分，比同规模的 {rivalModel} 高出 {small} 个百分点，但在{task}上仍有差距。|It scores {score} on {bench}, {small} points above {rivalModel} at a similar size, though it still trails on {task}.
      报告披露训练共用 {tokens}词元，其中约 {pct} % 为合成数据，并给出了去重前后的对照实验。|The report puts training at {tokens} tokens, about {pct}% of them synthetic, with ablations before and after deduplication.
      官方建议用两张 {memory} GB 显卡部署 8 位量化版；社区在数小时内已放出 4 位版本。|An 8-bit build is meant for two {memory} GB cards; a community 4-bit version followed within hours.
      上下文窗口为 {context}，超过一半长度后检索准确率下降约 {small} 个百分点，报告没有回避这一点。|Retrieval accuracy drops by about {small} points past half of the {context} window, which the authors say openly.`,
    reasons: `
      开放权重并附完整训练说明，可复核程度在同规模中少见。|Open weights with unusually complete training notes for its size.
      多家同时报道，{bench} 成绩已有独立复现。|Covered widely, and the {bench} result has been reproduced independently.`,
  }),
  kind({
    titles: `
      {org} 预览推理模型 {model}：先想后答，思考长度可调|{org} previews {model}, a new reasoning model tuned for {task}
      {model} 开始小范围测试，{org} 首次公开推理预算开关|Hands-on with {model}: a new reasoning model you can put on a budget
      推理模型新选手 {model} 亮相，{bench} 提升 {pct} 个百分点|{model} thinks before it answers, and gains {pct} points on {bench}`,
    leads: `
      {org} 放出新推理模型 {model} 的预览版，开发者可以按请求设定思考词元上限，从 512 到 {context} 不等。|{org} has put {model}, its new reasoning model, into preview. Developers set a limit on thinking tokens for each request, from 512 up to {context}.
      {model} 面向{task}做了专门训练，回答前会先生成可折叠的推理过程，{org} 表示该过程不计入上下文长度。|{model} was trained for {task} and writes out a collapsible chain of reasoning first; {org} says that chain does not count against the context window.`,
    details: `
      在 {bench} 上，思考预算每翻一倍成绩提高约 {small} 个百分点，到 32K 之后趋于平缓。|Every doubling of the thinking budget adds about {small} points on {bench}, flattening out beyond 32K.
      预览期价格为每百万输入词元 {price} 美元，推理词元按输出计费。|During the preview it costs \${price} per million input tokens; reasoning tokens are billed as output.
      早期测试者指出，简单问题上它有时仍会想得过久，平均延迟约为 {rivalModel} 的 {times} 倍。|Early testers say it still overthinks easy questions, with {times} times the latency of {rivalModel}.
      {org} 同时公布了一组失败案例，主要集中在单位换算和前提自相矛盾的题目。|{org} also published a set of failures, mostly unit conversions and questions with contradictory premises.
      正式版预计在 {weeks} 周后开放，届时会提供按任务自动选择预算的模式。|The final release is due in {weeks} weeks, with a mode that chooses the budget by itself.`,
    reasons: `
      推理预算可控，是近期推理模型里少见的工程取舍。|A controllable reasoning budget is a rare engineering choice among recent models.
      首批实测数据，含失败案例。|First hands-on figures, failures included.`,
  }),
  kind({
    titles: `
      {model} 可在手机上离线运行，内存占用不到 {small} GB|{model} runs offline on a phone in under {small} GB of memory
      {org} 推出端侧版 {model}，旧款芯片也能跑|{org} squeezes {task} onto older devices with {model}
      断网也能用：{model} 把{task}搬到本地|No network needed: {model} brings {task} to the device`,
    leads: `
      {org} 发布面向手机和笔记本的 {model}，量化后内存占用不足 {small} GB，断网状态下也能完成{task}。|{org} has released {model} for phones and laptops. Quantised, it needs less than {small} GB of memory and handles {task} without a network.
      {model} 主打端侧：在三年前的手机芯片上每秒可生成 {speed} 个词元，首词延迟约 {latency} 毫秒。|{model} is built for devices: {speed} tokens a second on a three-year-old phone, with about {latency} ms to the first one.`,
    details: `
      模型由更大的 {rivalModel} 蒸馏而来，团队公布了蒸馏数据的来源比例。|It is distilled from the larger {rivalModel}; the team lists where the distillation data came from.
      连续使用半小时耗电约 {rank} %，机身温度上升并不明显。|Half an hour of steady use costs roughly {rank}% of a battery, without much heat.
      在 {bench} 上它只比云端版本低 {small} 个百分点，差距主要出现在长文本。|On {bench} it lands within {small} points of the hosted version, the gap being mostly long text.
      开发包支持三种主流推理框架，示例应用已随代码一起放出。|The kit supports three common inference runtimes and comes with a sample app.`,
    reasons: `端侧可用性有明确的耗电与延迟数据。|On-device claims backed by battery and latency figures.`,
  }),
  kind({
    titles: `
      {org} 下调 {model} 接口价格，输入降至每百万词元 {price} 美元|{org} cuts {model} to \${price} per million input tokens
      {model} 缓存命中再打折，{org} 调整计费口径|Cached tokens get cheaper on {model} as {org} rewrites its price list
      长对话成本下降 {pct} %：{model} 新价目一览|Long conversations with {model} get {pct}% cheaper`,
    leads: `
      {org} 更新接口价目：{model} 输入价降至每百万词元 {price} 美元，缓存命中部分另享折扣，即日生效。|{org} has updated its price list: {model} now costs \${price} per million input tokens, with a further discount for cached ones, effective today.
      从本周起，{org} 按实际缓存词元计费，{model} 的长对话成本约下降 {pct} %，新价为每百万输入词元 {price} 美元。|From this week {org} bills the tokens that were really cached: long conversations with {model} cost about {pct}% less, input \${price} per million.`,
    details: `
      批处理接口同步降价，但完成时限由 12 小时放宽到 24 小时。|Batch prices fall as well, while the completion window widens from 12 to 24 hours.
      有开发者测算，{task}一类的任务每月账单可减少约 {pct} %。|One developer puts the saving for {task} at {pct}% a month.
      免费额度不变，超额后的限速规则改为按分钟滑动计算。|The free allowance stays; beyond it, limits now slide by the minute.
      {rival} 尚未跟进，其同档模型 {rivalModel} 目前贵出一截。|{rival} has not followed; its comparable {rivalModel} costs noticeably more.`,
    reasons: `直接影响接口成本，调用量大的团队值得重新核算。|Changes what the interface costs; heavy users should do their sums again.`,
  }),
  kind({
    titles: `
      {org} 宣布旧版 {model} 将于 {weeks} 周后停止服务|{org} will retire older {model} endpoints in {weeks} weeks
      还在用旧版 {model}？迁移期限只剩 {weeks} 周|Still on the old {model}? {weeks} weeks left to move
      {model} 旧接口下线日程公布，参数对照表已就绪|A date and a migration table for the old {model} interface`,
    leads: `
      {org} 公布退役日程：旧版 {model} 在 {weeks} 周后停止响应，期间新老接口并行。|{org} has set a date: the old {model} stops answering in {weeks} weeks, with both interfaces running side by side until then.
      一封发给开发者的邮件确认，{model} 的旧接口将在 {weeks} 周后关闭，逾期请求会返回错误而不会自动转发。|A mail to developers confirms that the old {model} interface closes in {weeks} weeks; late requests will fail rather than be forwarded.`,
    details: `
      官方给出了逐条参数的迁移对照表，其中 {rank} 项改了默认值。|A table maps every parameter to its successor; {rank} of them change their default.
      针对旧版微调的模型可以免费重新训练一次。|Models tuned on the old version can be retrained once for free.
      社区最担心的是输出风格的变化，有人整理了一份差异样例。|Users worry most about a change of tone, and have collected examples.
      {org} 表示今后每个版本至少保留 {count} 天。|{org} says every version will stay for at least {count} days from now on.`,
    reasons: `有明确期限，使用该接口的项目需要排期。|Comes with a deadline that affected projects must plan for.`,
  }),
  kind({
    independent: true,
    titles: `
      独立评测：{model} 在{task}上追平 {rivalModel}|Independent test: {model} draws level with {rivalModel} on {task}
      我们把 {model} 跑了 {count} 道题：强项与短板|{count} questions later: where {model} is strong and where it is not
      不看榜单看原始输出：{model} 的真实水平|Raw outputs instead of rankings: how good {model} really is`,
    leads: `
      {outletZh}用 {count} 道未公开题目测试了 {model}，总分 {score}，与 {rivalModel} 的差距落在误差范围内。|{outletEn} put {model} through {count} unpublished questions. It scored {score}, within the margin of error of {rivalModel}.
      一份 {pages} 页的评测逐题记录了 {model} 在{task}上的表现，{count} 道题中得分 {score}。|A {pages}-page evaluation follows {model} through {count} questions on {task}, ending at {score}.`,
    details: `
      评测者每题重复五次并公布全部输出，方差比上一代小了约 {pct} %。|Each question was asked five times and every output is public; variance is down about {pct}% on the generation before.
      它在需要承认“不知道”的题目上表现较好，误答率降到 {small} %。|It does well where the right answer is “I don’t know”, with wrong answers down to {small}%.
      中文题目的得分比英文低 {small} 个百分点，错误多出在古文和方言。|Chinese questions score {small} points below English ones, chiefly classical texts and dialects.
      评测脚本与题目哈希已公开，便于他人复核。|Scripts and hashes of the questions are public, so that others can check.`,
    reasons: `独立评测，方法与原始输出公开。|Independent, with method and raw outputs in the open.`,
  }),
  kind({
    independent: true,
    titles: `
      {bench} 更新榜单，{model} 上升 {rank} 位|{bench} refreshed: {model} climbs {rank} places
      {model} 在 {bench} 上进步最大，{task}成胜负手|{task} decides it: {model} gains most on {bench}
      本月 {bench} 看点：{model} 首次超过 {rivalModel}|This month on {bench}: {model} passes {rivalModel} for the first time`,
    leads: `
      {bench} 本月更新后，{model} 上升 {rank} 位，主要得益于{task}一项的进步。|After this month’s update of {bench}, {model} climbs {rank} places, mostly thanks to {task}.
      新一期 {bench} 收录了 {count} 个模型，{model} 以 {score} 分越过 {rivalModel}。|The new {bench} covers {count} models; {model} passes {rivalModel} with {score}.`,
    details: `
      维护者同时更换了三分之一题目，部分模型的名次因此明显回落。|The maintainers also changed a third of the questions, which cost some models dearly.
      前十名之间的差距缩小到 {small} 分以内，排序已不太有意义。|The top ten now lie within {small} points, so their order says little.
      开放权重模型占据前二十名中的 {rank} 席。|Open weights hold {rank} places near the top.
      {org} 没有参与题目设计，也没有提前获得样题。|{org} had no part in the questions and no early look at them.`,
    reasons: `题目更换后的首份榜单，能看出谁真正进步。|The first ranking on new questions shows who really improved.`,
  }),
  kind({
    titles: `
      {org} 发布 {model} 多模态版，图表与手写都能读|{model} learns to read charts and handwriting
      {model} 加入实时语音，可随时打断|{model} speaks, listens and can be interrupted
      听、看、说合一：{org} 更新 {model}|Ear, eye and voice in one: {org} updates {model}`,
    leads: `
      {org} 为 {model} 加入图像与语音输入，端到端平均延迟约 {latency} 毫秒，支持中途打断。|{org} has given {model} image and voice input, with about {latency} ms from end to end and interruptions allowed.
      更新后的 {model} 可以同时处理图像、语音和文字，{org} 重点展示了{task}的现场演示。|The updated {model} takes images, voice and text together; {org} chose {task} for its live demonstration.`,
    details: `
      在嘈杂环境下，中文识别错误率为 {small} %，粤语和闽南语仍在测试。|In noisy rooms its Chinese word error rate is {small}%; Cantonese and Hokkien are still in testing.
      图像按 {count} 个词元计费，与分辨率无关。|An image is billed as {count} tokens whatever its resolution.
      安全说明列出了不予回答的声音模仿请求。|A safety note lists requests for imitated voices that it turns down.
      接口沿用原有格式，只多出两个可选字段。|The interface stays as it was, with two optional fields more.`,
    reasons: `多模态延迟数据具体，接口改动小。|Concrete latency figures and a small change of interface.`,
  }),
];
