import { plural } from './plural.ts';
import type { enNotices } from './en-notices.ts';

const count = (n: number, other: string): string => plural('zh-CN', n, { other });

export const zhNotices: typeof enNotices = {
  notices: {
    title: '通知',
    open: '通知',
    openNew: '通知（有新通知）',
    loading: '正在加载通知…',
    list: (day) => `通知：${day}`,
    today: '今天',
    yesterday: '昨天',
    editions: {
      daily: (day) => `新日报：${day}`,
      weekly: (week) => `新周报：${week}`,
      monthly: (month) => `新月报：${month}`,
    },
    reports: (n) => (n === 0 ? '事件综述有更新' : count(n, '事件有 # 篇新报道')),
    models: (n) => count(n, '# 个模型有变更'),
    untitled: { story: '您关注的事件', models: '模型目录' },
    fresh: '新',
    told: '已通知',
    toldAt: (time) => `${time} 已通知`,
    toldOn: (when) => `${when} 已通知`,
    untold: '未提醒',
    emptyTitle: '还没有通知',
    emptyText: '新报告、关注事件的进展和模型变更会显示在这里。首次启动前的内容不会通知。',
    settings: '通知设置',
    many: {
      daily: (n) => count(n, '# 期新日报'),
      weekly: (n) => count(n, '# 期新周报'),
      monthly: (n) => count(n, '# 期新月报'),
      story: (n) => count(n, '# 个事件有新进展'),
      models: (n) => count(n, '# 个模型有变更'),
    },
    line: (name, title) => `${name}：${title}`,
    more: (n) => count(n, '另有 # 条'),
    catchUp: (what) => `免打扰期间：${what}`,
  },
  places: {
    missing: {
      item: '本机没有这条内容，它可能已被撤回，或来自其他新闻服务。',
      story: '本机没有这个事件。',
      report: '本机没有这份报告。',
      model: '已保存的模型目录中没有这个模型。',
    },
  },
  ownWindow: {
    open: '在新窗口中打开',
    failed: '无法打开窗口。',
    close: '关闭窗口',
    closeByHand: '请在浏览器中关闭此标签页。',
    print: '打印',
    back: '返回',
    title: (what) => `${what} · Broadsheet`,
  },
  defects: {
    title: '无法显示此部分',
    text: '详情请查看同步状态或日志。您的数据没有丢失。',
    met: '页面出现问题，但可以继续使用。详情请查看同步状态。',
    openHealth: '同步状态：出现问题',
    listTitle: '最近的问题',
    listHint: 'Broadsheet 仍在运行。如果页面显示异常，请重新加载页面。详情请查看日志。',
    places: { main: '应用中', engine: '保存新闻时', page: '此页面中' },
    dismiss: '忽略',
    restart: '重新加载页面',
  },
};
