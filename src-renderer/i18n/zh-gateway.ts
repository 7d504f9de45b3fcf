import type { enGateway } from './en-gateway.ts';
import { plural } from './plural.ts';

const count = (n: number, other: string): string => plural('zh-CN', n, { other });

export const zhGateway: typeof enGateway = {
  gateway: {
    address: '网关地址',
    addressHint:
      '使用区域主机时，只列出可在该区域内提供服务的模型。留空表示不使用网关；新闻为内置演示时，留空则使用内置网关。',
    fromOption: '本次运行由 --models 选项指定。',
    fromEnvironment: '由环境变量 BROADSHEET_MODELS_URL 指定。',
    testOk: (n) => count(n, '网关有应答，列出嵌入模型 # 个。'),
    testNoList: '网关有应答，但没有密钥时不列出任何内容。',
    demo: '内置网关提供虚构的模型，使用自带的公开密钥，不会向它发送其他密钥。',
    readFailed: '未能读取模型',
    failures: {
      unauthorized: '网关需要密钥，或不认识当前密钥。请在设置的“模型”中输入密钥。',
      forbidden: '网关认识此密钥，但不允许它列出模型：只有管理密钥可以。',
      not_found: '网关没有这样的列表。请在设置的“模型”中检查网关地址。',
      unreachable: '无法连接网关。请检查网络，或在设置的“模型”中检查网关地址。',
    },
  },
  key: {
    title: '密钥',
    none: '没有保存密钥。没有密钥时，网关最多只列出嵌入模型。',
    noGateway: '请先保存网关地址：密钥只为一个地址保存。',
    endsIn: (lastFour) => `密钥结尾为 …${lastFour}。`,
    tooShort: '已有密钥，但太短，不显示其中任何部分。',
    places: {
      keychain: '保存在系统钥匙串中。',
      thisRun: '仅在本次运行中保留。',
      environment: '来自环境变量 BROADSHEET_MODELS_KEY，仅用于本次运行。',
    },
    willBe: {
      keychain: '密钥将保存在系统钥匙串中，且只发往网关。',
      thisRun: '密钥仅在本次运行中保留，且只发往网关。',
    },
    reasons: {
      host: '在浏览器中，Broadsheet 无法使用系统钥匙串。可用环境变量 BROADSHEET_MODELS_KEY 在每次启动时提供密钥。',
      unavailable: '系统钥匙串目前无法使用。',
      plainText: '此系统没有钥匙串，密钥会以明文保存。',
    },
    sentTo: (origin) => `它只发往 ${origin}。`,
    insecure: '密钥没有发送：网关地址既不是 https，也不在本机，他人可能读到密钥。',
    otherOrigin: (given, now) => `此密钥是为 ${given} 输入的。也用于 ${now} 吗？`,
    allow: '也用于该地址',
    notUsed: (given) => `它是为 ${given} 输入的，目前不会发送。`,
    label: '输入密钥',
    replace: '输入另一个密钥',
    save: '保存并测试',
    trying: '正在询问网关…',
    accepted: '网关接受此密钥。',
    removed: '密钥已移除。',
    remove: '移除密钥',
    unknown: '网关不认识此密钥（401）。',
    mayNotList: '网关认识此密钥，但不允许它列出模型（403）：只有管理密钥可以。',
    malformed: '密钥由 1 至 512 个字母、数字或符号组成，不含空格。',
    untried: '密钥已保存，但未能试用：',
    refused: '密钥没有保存。页面不保留任何密钥，因此输入框已清空。',
    notAllowed: '该地址不使用此密钥。',
  },
  mention: {
    label: '文中的模型',
    possible: '可能匹配',
    possibleHint: '根据文中词语找到，也可能是别的模型。',
    inRow: (name) => `可能提到 ${name}`,
    inRowMore: (name, n) => `可能提到 ${name} 等 ${n + 1} 个模型`,
    input: (price) => `输入 ${price}`,
    output: (price) => `输出 ${price}`,
    aMillion: (price) => `${price}/百万`,
    context: (tokens) => `上下文 ${tokens}`,
    free: '免费',
    noPrice: '未给出价格',
    unclear: '不明',
  },
};
