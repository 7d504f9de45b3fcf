import { kind } from './template.ts';
import type { Kind } from './template.ts';

/** ai-products: applications, agents, tools. */
export const PRODUCT_KINDS: readonly Kind[] = [
  kind({
    titles: `
      {product} 上线编程代理：能改、能测，也能说明为什么改|{product} gets a coding agent that edits, tests and explains itself
      {org} 让 {product} 接手整个代码仓库，先读后写|{org} lets {product} work through a whole repository, plan first
      {product} 新增“先提计划”模式，改动前必须获批|Plan, approve, patch: {product} slows its agent down on purpose`,
    leads: `
      {org} 为 {product} 加入了编程代理，它会先通读仓库并列出计划，经确认后才动手修改，最后附上测试结果。|{org} has added a coding agent to {product}. It reads the repository, writes down a plan, waits for approval and only then edits, with test results at the end.
      {product} 的新版代理可以在隔离环境里连续工作 {small} 小时，计划获批后才会改动代码，每一步都留下可回退的快照。|The new agent in {product} can work for {small} hours in isolation, touches code only after its plan was approved and leaves a snapshot at every step.`,
    details: `
      在 {bench} 的真实缺陷集上，它独立解决了 {pct} % 的问题，其余大多停在环境配置。|On real defects from {bench} it closes {pct}% without help; most of the rest stop at environment setup.
      内部试用显示，代码评审的平均往返从 {rank} 轮降到 2 轮。|In internal trials review went from {rank} rounds to two.
      默认模型是 {model}，团队也可以接入自有接口。|It runs on {model} by default, and teams can bring their own endpoint.
      对生产分支的写入默认关闭，需要管理员逐仓库放开。|Writing to protected branches is off unless an administrator allows it repository by repository.`,
    reasons: `把“先计划后执行”做成默认，值得同类产品参考。|Makes plan-before-action the default, which others could copy.`,
  }),
  kind({
    titles: `
      {product} 支持{task}，向{audience}免费开放|{product} opens {task} to {audience}, free of charge
      {org} 更新 {product}：{task}进入正式版|{task} leaves beta in {product}
      {product} 的{task}功能结束公测，引用逐句可查|Sentence by sentence: {product} cites its sources for {task}`,
    leads: `
      {org} 宣布 {product} 的{task}功能结束测试，即日起向{audience}免费开放，其他用户按月计量。|{org} says {product} has finished testing {task}. It is free for {audience} from today and metered for everybody else.
      经过 {weeks} 周公测，{product} 的{task}功能转为正式版，{audience}可免费使用。|After {weeks} weeks in public, {task} in {product} is final, and free for {audience}.`,
    details: `
      公测期间共有约 {users} 万人使用，最常见的用途是整理会议记录和对账。|Around {users}0,000 people took part in the test, mostly for meeting notes and reconciliations.
      新版把引用来源放到每句话旁边，点击可以跳回原文段落。|Sources now sit beside each sentence, one click from the passage they came from.
      功能由 {model} 驱动，离线时会退回较小的本地模型。|It is driven by {model} and falls back to a smaller local model offline.
      产品说明强调，默认不使用客户数据训练模型。|The notes stress that customer data is not used for training unless one agrees.`,
    reasons: `面向{audience}的实用更新，且有明确的数据边界。|A practical step for {audience}, with clear limits on data.`,
  }),
  kind({
    titles: `
      {product} 桌面版发布，可读取本地文件夹|{product} comes to the desktop and reads local folders
      文件不离开电脑：{product} 推出桌面应用|Files stay where they are: {product} has a desktop app
      {org} 发布 {product} 桌面端，三大系统同时支持|{org} ships {product} for all three desktop systems`,
    leads: `
      {product} 推出桌面版，首次可以在授权的本地文件夹内工作，索引保存在本机，文件不离开电脑。|{product} now has a desktop app that works inside folders you allow; its index is kept locally and files stay on the machine.
      {org} 把 {product} 带到桌面：拖入文件夹即可提问，{count} 份文档约需 {small} 分钟建立索引。|{org} brings {product} to the desktop: drop a folder in and ask. {count} documents take about {small} minutes to index.`,
    details: `
      权限按文件夹授予，可以随时收回，操作记录保存 {count} 天。|Permission is given by folder and can be withdrawn at any time; a log is kept for {count} days.
      安装包不到 {memory} MB，空闲时内存占用约为浏览器标签页的一半。|The download is under {memory} MB and idles at half the memory of a browser tab.
      离线时由较小的本地模型接手，联网后可选择用 {model} 重新作答。|A small local model takes over offline; once connected, {model} can answer again.
      现有订阅可直接登录，暂不支持多人共享文件夹。|Existing subscriptions work as they are; shared folders do not yet.`,
    reasons: `本地处理的边界说得清楚。|Says clearly what is done on the machine and what is not.`,
  }),
  kind({
    titles: `
      {org} 把 {product} 带进{field}，首批 {rank} 家机构试用|{org} takes {product} into {field} with {rank} pilot sites
      {field}迎来专用助手：{product} 行业版|An assistant of its own for {field}: {product}
      {product} 行业版实测：{field}里的半天|Half a day of {field} with {product}`,
    leads: `
      {org} 推出面向{field}的 {product} 行业版，首批 {rank} 家机构从本月起试用，数据留在机构自己的机房。|{org} has a version of {product} for {field}. {rank} institutions start this month, with data kept on their own premises.
      在{city}的一场演示中，{product} 用 {small} 分钟完成了以往半天的{field}流程，并标出三处需要人工复核的地方。|At a demonstration in {city}, {product} went through half a day of {field} in {small} minutes and marked three places for a person to check.`,
    details: `
      系统把每个结论连到原始记录，缺少依据时会直接拒答。|Every conclusion links to the record behind it; without one the system declines to answer.
      试点负责人提到，最大的收益不是速度，而是交接时不再丢信息。|Pilot leads say the gain is less in speed than in handovers that lose nothing.
      价格按席位计算，公立机构可申请减免。|It is priced by seat, with relief for public institutions.
      行业版同时通过了本地的信息安全测评。|It has also passed the local security assessment.`,
    reasons: `落地细节具体，含试点反馈。|Concrete about deployment, pilot feedback included.`,
  }),
  kind({
    titles: `
      {product} 短时故障，{org} 公布完整复盘|What went wrong with {product}: {org} publishes its account
      一次配置推送引发的 {small} 小时：{product} 故障始末|One configuration push, {small} hours: the {product} outage
      {org} 就 {product} 中断致歉，灰度流程已调整|{org} apologises for the {product} outage and changes its roll-outs`,
    leads: `
      {org} 公布了 {product} 周三故障的复盘：一次配置推送让 {pct} % 的请求被错误拒绝，持续 {small} 小时。|{org} has published its account of the {product} outage: a configuration push rejected {pct}% of requests for {small} hours.
      {product} 本周的中断源于一项未经灰度的配置，{org} 的时间线精确到分钟，影响了 {pct} % 的请求。|This week’s {product} outage came from a setting that skipped its staged roll-out; the timeline of {org} runs to the minute and counts {pct}% of requests.`,
    details: `
      团队把首批灰度比例从一半降到百分之一，并加了自动回滚。|Roll-outs now start at one percent instead of fifty, with automatic rollback.
      受影响的企业用户会得到相应的服务时长补偿。|Business customers get service time in return.
      复盘承认告警在前 {rank} 分钟被误判为正常波动。|The account admits that alarms were taken for noise for the first {rank} minutes.
      用户数据没有丢失，排队中的任务在恢复后自动续跑。|No data was lost, and queued tasks resumed by themselves.`,
    reasons: `复盘坦诚，改进措施可操作。|A candid account with measures others can use.`,
  }),
  kind({
    titles: `
      {product} 更新日志：响应更快，记忆可逐条删除|{product} release notes: faster starts, memories you can delete one by one
      {product} 上线记忆管理页，记住什么由你决定|You decide what {product} remembers
      {org} 为 {product} 加入可导出的记忆清单|{org} adds an exportable list of memories to {product}`,
    leads: `
      {product} 最新版本加入记忆管理页，用户可以逐条查看、修改和删除被记住的内容，也可以整体导出。|The latest {product} has a page for its memory, where everything it keeps can be read, changed, deleted or exported.
      {org} 重做了 {product} 的记忆功能：每条记忆都注明来源对话和日期，超过 {count} 天未使用会提示清理。|{org} has rebuilt memory in {product}: each entry names the conversation and date it came from, and is offered for removal after {count} idle days.`,
    details: `
      这次更新还把冷启动时间缩短了约 {pct} %。|Cold starts are about {pct}% shorter as well.
      企业管理员可以为整个组织关闭记忆。|Administrators can switch memory off for a whole organisation.
      新增的临时会话不会留下任何记录。|A new kind of temporary conversation leaves nothing behind.
      {audience}反馈最多的快捷键冲突也已修复。|A clash of shortcuts that annoyed {audience} is gone.`,
    reasons: `把记忆变成可见、可改的清单，是隐私上的进步。|Turning memory into a list one can see and change is a step for privacy.`,
  }),
  kind({
    titles: `
      {org} 修复 {product} 权限缺陷，建议管理员尽快更新|{org} patches a permission flaw in {product}
      {product} 安全更新：共享链接曾可越权读取|Security update: shared links in {product} could read too much
      研究者披露 {product} 提示注入问题，{org} 已修补|Prompt injection in {product} disclosed and fixed`,
    leads: `
      {org} 发布 {product} 安全更新，修复共享文档可诱导助手越权读取的问题，建议管理员在 {small} 天内完成升级。|{org} has updated {product} after shared documents could talk its assistant into reading too much; administrators should update within {small} days.
      一份负责任披露的报告指出，{product} 会把共享文档中的文字当作指令执行并越权读取；{org} 在 {rank} 天内完成了修补。|A responsibly disclosed report showed that {product} followed text in shared documents as instructions and read beyond its rights; {org} fixed it in {rank} days.`,
    details: `
      安全公告列出了受影响的版本，没有发现被利用的迹象。|The notice lists affected versions; there is no sign of abuse.
      修补方式是把外部内容与指令分到不同通道，并要求敏感操作二次确认。|The fix separates outside content from instructions and asks again before sensitive steps.
      {org} 同时把漏洞奖励上限提高到原来的 {times} 倍。|{org} also raised its top bounty {times} times.
      自托管用户需要手动更新，云端已全部完成。|Self-hosted installations must update by hand; hosted ones are done.`,
    reasons: `影响面广且有明确的处置步骤。|Widely used, with clear steps to take.`,
  }),
];
