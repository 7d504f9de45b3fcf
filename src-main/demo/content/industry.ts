import type { Kind } from './template.ts';

/** industry: money, machines, rules. */
export const INDUSTRY_KINDS: readonly Kind[] = [
  {
    zh: {
      titles: [
        '{org} 完成{money}融资，将扩建{city}研究中心',
        '{org} 新一轮融资{money}，资金投向{task}',
        '{field}创业潮：{org} 获{money}投资',
      ],
      leads: [
        '{org} 宣布完成{money}融资，投后估值约为上一轮的 {times} 倍，资金主要用于{city}研究中心和算力租赁。',
        '据公告，{org} 本轮募得{money}，将在一年内把{field}团队扩大到 {count} 人。',
      ],
      details: [
        '公司称年化收入较去年同期增长 {pct} %，接口业务约占六成。',
        '投资方要求每半年披露一次能耗与碳排放，这在业内还不多见。',
        '管理层表示短期内不考虑上市，重点是把 {product} 做到盈亏平衡。',
        '与同行相比，其研发支出占比偏高，达到收入的 {score} %。',
      ],
    },
    en: {
      titles: [
        '{org} raises {money} and expands in {city}',
        '{money} more for {org}, aimed at {task}',
        'Investors put {money} into {org} and its bet on {field}',
      ],
      leads: [
        '{org} has closed a round of {money} at about {times} times its previous valuation; most of it goes into a research centre in {city} and rented compute.',
        'In a round of {money}, {org} plans to grow its {field} team to {count} people within a year.',
      ],
      details: [
        'Annualised revenue is up {pct}% on the year, some sixty percent of it from the interface.',
        'Investors asked for energy use to be disclosed twice a year, still a rarity.',
        'Management rules out going public for now and wants {product} to break even first.',
      ],
    },
    reasons: [{ zh: '披露了收入结构与资金去向。', en: 'Says where revenue comes from and where the money goes.' }],
  },
  {
    zh: {
      titles: [
        '{org} 在{city}启用新数据中心，余热供给周边社区',
        '{city}算力园区开工，{org} 预定四成机位',
        '电力成了瓶颈：{org} 推迟{city}二期项目',
      ],
      leads: [
        '{org} 位于{city}的数据中心投入使用，首期功率 {memory} 兆瓦，余热将接入周边社区的供暖管网。',
        '受电网接入排队影响，{org} 把{city}二期工程推迟 {weeks} 周，期间改用外部算力补足。',
      ],
      details: [
        '园区采用液冷，官方给出的能效指标为 1.1{small}。',
        '地方政府要求项目每年公布用水量，并为枯水期设定上限。',
        '公司预计推理负载将占总量的 {score} %，训练任务改到夜间排队。',
        '设备来自三家供应商，以避免单一来源延误。',
      ],
    },
    en: {
      titles: [
        '{org} switches on a data centre in {city} and heats the neighbourhood',
        'Power is the bottleneck: {org} delays phase two in {city}',
        '{org} books most of a new compute park in {city}',
      ],
      leads: [
        'The data centre of {org} in {city} has started with {memory} megawatts; its waste heat goes into the local heating network.',
        'Waiting for its grid connection, {org} has moved phase two in {city} by {weeks} weeks and rents compute meanwhile.',
      ],
      details: [
        'The site is liquid-cooled, with a stated efficiency of 1.1{small}.',
        'The municipality wants yearly figures on water and caps it in dry months.',
        'Inference is expected to take {score}% of the load, with training queued at night.',
      ],
    },
    reasons: [{ zh: '算力供给侧的一手数据。', en: 'First-hand figures from the supply side of compute.' }],
  },
  {
    zh: {
      titles: [
        '{org} 收购 {rival} 旗下{field}团队',
        '{org} 与 {rival} 达成互通协议，代理可跨平台交接',
        '{rival} 加入 {org} 牵头的开放评测联盟',
      ],
      leads: [
        '{org} 与 {rival} 宣布合作：双方的代理将采用同一套交接格式，{product} 里未完成的任务可以转到对方平台继续。',
        '{org} 收购了 {rival} 的{field}团队，约 {rank} 人将在本季度内并入，原有客户合同照旧履行。',
      ],
      details: [
        '协议文本已公开征求意见，为期 {weeks} 周。',
        '两家公司合计约占{field}市场的 {pct} %，监管部门可能会询问细节。',
        '交接格式不含用户内容，只带任务目标、已完成步骤和权限范围。',
        '分析人士认为，这更像是一次防守性的整合。',
      ],
    },
    en: {
      titles: [
        '{org} buys the {field} team of {rival}',
        '{org} and {rival} agree on a common hand-over format for agents',
        '{rival} joins the open evaluation alliance led by {org}',
      ],
      leads: [
        '{org} and {rival} will use one hand-over format for agents: a task left unfinished in {product} can continue on the other side.',
        '{org} has bought the {field} team of {rival}. About {rank} people move this quarter; customer contracts stay as they are.',
      ],
      details: [
        'The draft is open for comments for {weeks} weeks.',
        'Together they hold about {pct}% of {field}, so regulators may have questions.',
        'A hand-over carries the goal, the finished steps and the permissions, never the user’s content.',
      ],
    },
    reasons: [{ zh: '互通格式可能影响整个代理生态。', en: 'A shared format could matter to every agent product.' }],
  },
  {
    zh: {
      titles: [
        '{city}发布生成内容标识细则，{weeks} 周后施行',
        '{field}使用大模型须留痕，{city}征求意见',
        '合规清单：{city}新规对{field}意味着什么',
      ],
      leads: [
        '{city}公布生成内容标识细则，要求{field}等场景保留生成记录不少于 {count} 天，{weeks} 周后施行。',
        '一份征求意见稿提出，{field}机构使用大模型时应登记用途、模型版本和人工复核环节。',
      ],
      details: [
        '小规模服务可采用简化登记，表格只有两页。',
        '{org} 等企业表示将同步更新 {product} 的导出格式。',
        '条文区分了“辅助”与“代替”判断，后者需要事前评估。',
        '意见稿没有规定罚款金额，只要求限期整改。',
      ],
    },
    en: {
      titles: [
        '{city} publishes labelling rules for generated content, effective in {weeks} weeks',
        'Records please: {city} consults on models in {field}',
        'What the new rules of {city} mean for {field}',
      ],
      leads: [
        '{city} has published rules for labelling generated content: {field} must keep records for {count} days, starting in {weeks} weeks.',
        'A draft asks institutions in {field} to register purpose, model version and who checks the result.',
      ],
      details: [
        'Small services may use a short form of two pages.',
        '{org} says it will change what {product} exports accordingly.',
        'The text separates assisting a decision from replacing it; the latter needs an assessment beforehand.',
      ],
    },
    reasons: [{ zh: '有明确时间表的合规要求。', en: 'A compliance duty with a date on it.' }],
  },
];
