import { kind } from './template.ts';
import type { Kind } from './template.ts';

/** industry: money, machines, alliances, rules. */
export const INDUSTRY_KINDS: readonly Kind[] = [
  kind({
    titles: `
      {org} 完成{money}融资，将扩建{city}研究中心|{org} raises {money} and expands in {city}
      {org} 新一轮融资{money}，重点押注{field}|{money} more for {org}, aimed at {field}
      投资人为何给 {org} {money}？|Why investors put {money} into {org}`,
    leads: `
      {org} 宣布完成{money}融资，投后估值约为上一轮的 {times} 倍，资金主要用于{city}研究中心和{field}业务。|{org} has closed a round of {money} at about {times} times its previous valuation; most of it goes into {city} and its work in {field}.
      据公告，{org} 本轮募得{money}，将在一年内把位于{city}的{field}团队扩大到 {count} 人。|With {money} raised, {org} plans to grow its {field} team in {city} to {count} people within a year.`,
    details: `
      公司称年化收入较去年同期增长 {pct} %，接口业务约占六成。|Annualised revenue is up {pct}% on the year, some sixty percent of it from the interface.
      投资方要求每半年披露一次能耗与碳排放，这在业内还不多见。|Investors asked for energy use to be disclosed twice a year, still a rarity.
      管理层表示短期内不考虑上市，重点是把 {product} 做到盈亏平衡。|Management rules out going public for now and wants {product} to break even first.
      与同行相比，其研发支出占比偏高，超过收入的一半。|Research takes more than half of its revenue, high among its peers.`,
    reasons: `披露了收入结构与资金去向。|Says where revenue comes from and where the money goes.`,
  }),
  kind({
    titles: `
      {org} 在{city}启用新数据中心，余热供给周边社区|{org} switches on a data centre in {city} and heats the neighbourhood
      {city}数据中心投产，{org} 首期用电 {memory} 兆瓦|{memory} megawatts to begin with: {org} opens in {city}
      机房余热进社区：{org} 的{city}方案|Waste heat for homes: how {org} builds in {city}`,
    leads: `
      {org} 位于{city}的数据中心投入使用，首期功率 {memory} 兆瓦，余热将接入周边社区的供暖管网。|The data centre of {org} in {city} has started with {memory} megawatts; its waste heat goes into the local heating network.
      历时 {count} 天建设，{org} 的{city}数据中心今天通电，附近约 {rank} 个社区将用上机房余热。|After {count} days of building, the {city} site of {org} went live today; some {rank} neighbourhoods will be heated by it.`,
    details: `
      园区采用液冷，官方给出的能效指标为 1.1{small}。|The site is liquid-cooled, with a stated efficiency of 1.1{small}.
      地方政府要求项目每年公布用水量，并为枯水期设定上限。|The municipality wants yearly figures on water and caps it in dry months.
      公司预计推理负载将占总量的一大半，训练任务改到夜间排队。|Inference is expected to take most of the load, with training queued at night.
      设备来自三家供应商，以避免单一来源延误。|Equipment comes from three suppliers, so that none can hold it up.`,
    reasons: `算力供给侧的一手数据。|First-hand figures from the supply side of compute.`,
  }),
  kind({
    titles: `
      电力成了瓶颈：{org} 推迟{city}二期项目|Power is the bottleneck: {org} delays phase two in {city}
      等电网：{org} {city}园区延后 {weeks} 周|Waiting for the grid: {org} moves {city} by {weeks} weeks
      {city}并网排队，{org} 转租外部算力|A queue for power in {city} sends {org} renting`,
    leads: `
      受电网接入排队影响，{org} 把{city}二期工程推迟 {weeks} 周，期间改用外部算力补足。|Waiting for its grid connection, {org} has moved phase two in {city} by {weeks} weeks and rents compute meanwhile.
      {org} 确认{city}二期延后约 {weeks} 周，原因不是芯片，而是变电站容量。|{org} confirms a delay of about {weeks} weeks in {city}. The reason is not chips but a substation.`,
    details: `
      {rival} 在同一园区的项目也在排队，双方正讨论共建储能。|{rival} waits in the same queue; the two are talking about shared storage.
      公司称 {product} 用户不会受到影响，训练排期则要重新安排。|Users of {product} should notice nothing, it says; training has to be rescheduled.
      当地电网公司预计明年新增 {count} 兆瓦容量。|The local grid operator expects {count} megawatts more next year.
      分析人士估算，租用算力会让单位成本上升约 {rank} %。|Analysts put the extra cost of renting at about {rank}%.`,
    reasons: `说明了当前扩容的真实约束。|Shows what really limits growth at the moment.`,
  }),
  kind({
    titles: `
      {org} 收购 {rival} 旗下{field}团队|{org} buys the {field} team of {rival}
      {rank} 人并入：{org} 拿下 {rival} 的{field}业务|{rank} people change sides as {org} takes over {field} from {rival}
      {org} 与 {rival} 完成{field}业务交割|{org} and {rival} close their {field} deal`,
    leads: `
      {org} 收购了 {rival} 的{field}团队，约 {rank} 人将在本季度内并入，原有客户合同照旧履行。|{org} has bought the {field} team of {rival}. About {rank} people move this quarter; customer contracts stay as they are.
      {rival} 决定退出{field}，其团队与客户由 {org} 接手，涉及约 {rank} 名员工。|{rival} is leaving {field}; {org} takes over customers and some {rank} employees.`,
    details: `
      两家公司合计约占{field}市场的 {pct} %，监管部门可能会询问细节。|Together they hold about {pct}% of {field}, so regulators may have questions.
      交易金额没有公布，知情者称以股权为主。|The price was not disclosed; people who know say it was mostly shares.
      {product} 将在 {weeks} 周内并入对方的数据连接器。|{product} is to take in their data connectors within {weeks} weeks.
      分析人士认为，这更像是一次防守性的整合。|Analysts see a defensive move.`,
    reasons: `行业整合的信号，客户侧影响已说明。|A sign of consolidation, with its effect on customers spelt out.`,
  }),
  kind({
    titles: `
      {org} 与 {rival} 达成互通协议，代理可跨平台交接|{org} and {rival} agree on a common hand-over format for agents
      一份开放的代理交接格式，{org}、{rival} 率先采用|An open hand-over format for agents, first in use at {org} and {rival}
      任务可以搬家了：{product} 支持跨平台续做|Unfinished work can move: {product} hands over to other platforms`,
    leads: `
      {org} 与 {rival} 宣布采用同一套代理交接格式，{product} 里未完成的任务可以转到对方平台继续。|{org} and {rival} will use one hand-over format for agents: a task left unfinished in {product} can continue on the other side.
      {org} 公布与 {rival} 共同起草的交接格式，代理可以把做到一半的任务完整移交，首个支持的产品是 {product}。|{org} has published a format drafted with {rival}, by which agents pass on half-done work; {product} is the first to support it.`,
    details: `
      协议文本已公开征求意见，为期 {weeks} 周。|The draft is open for comments for {weeks} weeks.
      交接格式不含用户内容，只带任务目标、已完成步骤和权限范围。|A hand-over carries the goal, the finished steps and the permissions, never the user’s content.
      另有 {rank} 家厂商表示愿意跟进，时间表未定。|{rank} further vendors are willing to follow, without dates.
      批评者担心格式过于宽松，难以保证各家理解一致。|Critics fear the format is too loose to be read alike everywhere.`,
    reasons: `互通格式可能影响整个代理生态。|A shared format could matter to every agent product.`,
  }),
  kind({
    independent: true,
    titles: `
      {city}发布生成内容标识细则，{weeks} 周后施行|{city} publishes labelling rules for generated content, effective in {weeks} weeks
      {field}使用大模型须留痕，{city}明确期限|Records please: {city} sets terms for models in {field}
      合规清单：{city}新规对{field}意味着什么|What the new rules of {city} mean for {field}`,
    leads: `
      {city}公布生成内容标识细则，要求{field}等场景保留生成记录不少于 {count} 天，{weeks} 周后施行。|{city} has published rules for labelling generated content: {field} must keep records for {count} days, starting in {weeks} weeks.
      按{city}的新细则，{field}机构使用大模型时应登记用途、模型版本和人工复核环节，{weeks} 周后生效。|Under new rules of {city}, institutions in {field} register purpose, model version and who checks the result, from {weeks} weeks on.`,
    details: `
      小规模服务可采用简化登记，表格只有两页。|Small services may use a short form of two pages.
      {org} 等企业表示将同步更新 {product} 的导出格式。|{org} says it will change what {product} exports accordingly.
      条文区分了“辅助”与“代替”判断，后者需要事前评估。|The text separates assisting a decision from replacing it; the latter needs an assessment beforehand.
      细则没有规定罚款金额，只要求限期整改。|It names no fines, only deadlines to put things right.`,
    reasons: `有明确时间表的合规要求。|A compliance duty with a date on it.`,
  }),
];
