import { plural } from './plural.ts';
import type { enNotices } from './en-notices.ts';

const count = (n: number, other: string): string => plural('zh-CN', n, { other });

export const zhNotices: typeof enNotices = {
  notices: {
    title: '通知',
    open: '通知',
    openNew: '通知：有新内容',
    loading: '正在读取历史…',
    list: (day) => `通知：${day}`,
    today: '今天',
    yesterday: '昨天',
    editions: {
      daily: (day) => `新日报：${day}`,
      weekly: (week) => `新周报：${week}`,
      monthly: (month) => `新月报：${month}`,
    },
    reports: (n) => (n === 0 ? '事件的综述已重写' : count(n, '事件有 # 篇新报道')),
    models: (n) => count(n, '# 个模型有变更'),
    untitled: { story: '您关注的事件', models: '模型目录' },
    fresh: '新',
    told: '已通知',
    toldAt: (time) => `${time} 通知`,
    toldOn: (when) => `${when} 通知`,
    untold: '未通知',
    emptyTitle: '还没有通知',
    emptyText: '新的报告、所关注事件的进展和模型的变更会列在这里。首次启动之前已有的内容不算新闻。',
    settings: '选择要通知的内容',
    many: {
      daily: (n) => count(n, '# 份新日报'),
      weekly: (n) => count(n, '# 份新周报'),
      monthly: (n) => count(n, '# 份新月报'),
      story: (n) => count(n, '# 个事件的进展'),
      models: (n) => count(n, '# 个模型的变更'),
    },
    line: (name, title) => `${name}：${title}`,
    more: (n) => count(n, '另有 # 条'),
    catchUp: (what) => `免打扰期间：${what}`,
  },
  places: {
    missing: {
      item: '此处没有存储这条内容：它可能已被撤回，或属于另一个服务。',
      story: '此处没有存储这个事件，服务也未曾提及它。',
      report: '此处没有存储这份报告，服务也未曾提及它。',
      model: '已存储的目录中没有这个模型。',
    },
  },
  ownWindow: {
    open: '在窗口中打开',
    failed: '无法打开窗口。',
    close: '关闭窗口',
    closeByHand: '此标签页只能由浏览器自己关闭。',
    print: '打印',
    back: '返回',
    title: (what) => `${what} · Broadsheet`,
  },
  defects: {
    title: '此部分无法显示',
    text: '出错的情况已记入“数据状况”和日志。您的操作均未丢失。',
    met: '此页面出现了问题，但仍可继续使用。详情见“数据状况”。',
    openHealth: '数据状况：出现过问题',
    listTitle: '出现过的问题',
    listHint: 'Broadsheet 会继续运行。如果页面显得不对，请重新启动页面。详情见日志。',
    places: { main: '程序中', engine: '存储新闻时', page: '此页面中' },
    dismiss: '知道了',
    restart: '重新启动页面',
  },
};
