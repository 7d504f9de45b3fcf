import type { Kind } from './template.ts';

/** ai-products: applications, agents, tools. */
export const PRODUCT_KINDS: readonly Kind[] = [
  {
    zh: {
      titles: [
        '{product} 上线编程代理：能改、能测，也能说明为什么改',
        '{org} 让 {product} 接手整个代码仓库，先读后写',
        '{product} 新增“先提计划”模式，改动前必须获批',
      ],
      leads: [
        '{org} 为 {product} 加入了编程代理，它会先通读仓库并列出计划，经确认后才动手修改，最后附上测试结果。',
        '{product} 的新版代理可以在隔离环境里连续工作 {small} 小时，每一步都留下可回退的快照。',
      ],
      details: [
        '在 {bench} 的真实缺陷集上，它独立解决了 {pct} % 的问题，其余大多停在环境配置。',
        '内部试用显示，代码评审的平均往返从 {rank} 轮降到 2 轮。',
        '默认模型是 {model}，团队也可以接入自有接口。',
        '对生产分支的写入默认关闭，需要管理员逐仓库放开。',
      ],
    },
    en: {
      titles: [
        '{product} gets a coding agent that edits, tests and explains itself',
        '{org} lets {product} work through a whole repository, plan first',
        'Plan, approve, patch: {product} slows its agent down on purpose',
      ],
      leads: [
        '{org} has added a coding agent to {product}. It reads the repository, writes down a plan, waits for approval and only then edits, with test results at the end.',
        'The new agent in {product} can work for {small} hours in isolation and leaves a snapshot at every step.',
      ],
      details: [
        'On real defects from {bench} it closes {pct}% without help; most of the rest stop at environment setup.',
        'In internal trials review went from {rank} rounds to two.',
        'It runs on {model} by default, and teams can bring their own endpoint.',
        'Writing to protected branches is off unless an administrator allows it repository by repository.',
      ],
    },
    reasons: [
      {
        zh: '把“先计划后执行”做成默认，值得同类产品参考。',
        en: 'Makes plan-before-action the default, which others could copy.',
      },
    ],
  },
  {
    zh: {
      titles: [
        '{product} 支持{task}，向{audience}免费开放',
        '{org} 更新 {product}：{task}进入正式版',
        '{product} 桌面版发布，可读取本地文件夹',
      ],
      leads: [
        '{org} 宣布 {product} 的{task}功能结束测试，即日起向{audience}免费开放，其他用户按月计量。',
        '{product} 推出桌面版，首次可以在授权的本地文件夹内工作，文件不离开电脑。',
      ],
      details: [
        '公测期间共有约 {users} 万人使用，最常见的用途是整理会议记录和对账。',
        '新版把引用来源放到每句话旁边，点击可以跳回原文段落。',
        '功能由 {model} 驱动，离线时会退回较小的本地模型。',
        '网页版本周内更新，移动端要等到下个月。',
        '产品说明强调，默认不使用客户数据训练模型。',
      ],
    },
    en: {
      titles: [
        '{product} opens {task} to {audience}, free of charge',
        '{task} leaves beta in {product}',
        '{product} comes to the desktop and reads local folders',
      ],
      leads: [
        '{org} says {product} has finished testing {task}. It is free for {audience} from today and metered for everybody else.',
        '{product} now has a desktop app that works inside folders you allow; files stay on the machine.',
      ],
      details: [
        'Around {users}0,000 people took part in the test, mostly for meeting notes and reconciliations.',
        'Sources now sit beside each sentence, one click from the passage they came from.',
        'It is driven by {model} and falls back to a smaller local model offline.',
        'The web version follows this week, phones next month.',
      ],
    },
    reasons: [
      {
        zh: '面向{audience}的实用更新，且有明确的数据边界。',
        en: 'A practical step for {audience}, with clear limits on data.',
      },
    ],
  },
  {
    zh: {
      titles: [
        '{org} 把 {product} 带进{field}，首批 {rank} 家机构试用',
        '{field}迎来专用助手：{product} 行业版',
        '{product} 行业版实测：{field}里的半天',
      ],
      leads: [
        '{org} 推出面向{field}的 {product} 行业版，首批 {rank} 家机构从本月起试用，数据留在机构自己的机房。',
        '在{city}的一场演示中，{product} 用 {small} 分钟完成了以往半天的{field}流程，并标出三处需要人工复核的地方。',
      ],
      details: [
        '系统把每个结论连到原始记录，缺少依据时会直接拒答。',
        '试点负责人提到，最大的收益不是速度，而是交接时不再丢信息。',
        '价格按席位计算，公立机构可申请减免。',
        '行业版同时通过了本地的信息安全测评。',
      ],
    },
    en: {
      titles: [
        '{org} takes {product} into {field} with {rank} pilot sites',
        'Half a day of {field} with {product}',
        '{product} for {field}: what the pilots found',
      ],
      leads: [
        '{org} has a version of {product} for {field}. {rank} institutions start this month, with data kept on their own premises.',
        'At a demonstration in {city}, {product} went through half a day of {field} in {small} minutes and marked three places for a person to check.',
      ],
      details: [
        'Every conclusion links to the record behind it; without one the system declines to answer.',
        'Pilot leads say the gain is less in speed than in handovers that lose nothing.',
        'It is priced by seat, with relief for public institutions.',
      ],
    },
    reasons: [{ zh: '落地细节具体，含试点反馈。', en: 'Concrete about deployment, pilot feedback included.' }],
  },
  {
    zh: {
      titles: [
        '{product} 出现短时故障，{org} 公布复盘',
        '{org} 修复 {product} 权限缺陷，建议管理员尽快更新',
        '{product} 更新日志：响应更快，记忆可逐条删除',
      ],
      leads: [
        '{org} 公布了 {product} 周三故障的复盘：一次配置推送让 {pct} % 的请求在 {latency} 毫秒内被错误拒绝，持续 {small} 小时。',
        '{product} 最新版本加入记忆管理页，用户可以逐条查看、修改和删除被记住的内容。',
      ],
      details: [
        '团队把灰度比例从一半降到百分之一，并加了自动回滚。',
        '受影响的企业用户会得到相应的服务时长补偿。',
        '这次更新还把冷启动时间缩短了约 {pct} %。',
        '安全公告列出了受影响的版本，没有发现被利用的迹象。',
      ],
    },
    en: {
      titles: [
        'What went wrong with {product}: {org} publishes its account',
        '{product} release notes: faster starts, memories you can delete one by one',
        '{org} patches a permission flaw in {product}',
      ],
      leads: [
        '{org} has published its account of the {product} outage: a configuration push rejected {pct}% of requests for {small} hours.',
        'The latest {product} has a page for its memory, where everything it keeps can be read, changed and deleted.',
      ],
      details: [
        'Roll-outs now start at one percent instead of fifty, with automatic rollback.',
        'Business customers get service time in return.',
        'Cold starts are about {pct}% shorter.',
        'The notice lists affected versions; there is no sign of abuse.',
      ],
    },
    reasons: [{ zh: '复盘坦诚，改进措施可操作。', en: 'A candid account with measures others can use.' }],
  },
];
