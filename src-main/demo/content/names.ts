import { both, lines } from './template.ts';
import type { Bilingual } from './template.ts';

export interface Organisation {
  name: Bilingual;
  /** Under `.example`, which belongs to nobody. */
  domain: string;
  models: Bilingual[];
  products: Bilingual[];
}

const organisation = (name: string, domain: string, models: string, products: string): Organisation => ({
  name: both(name),
  domain: `${domain}.example`,
  models: models.split(', ').map(both),
  products: products.split(', ').map(both),
});

/** Everybody here is made up: laboratories, companies, models and products. */
export const ORGANISATIONS: readonly Organisation[] = [
  organisation('Halcyon Loom', 'halcyonloom', 'Larkspur 4, Larkspur 4 Mini, Larkspur-R', 'Loom Desk, Loom Canvas'),
  organisation('Northwick Labs', 'northwick', 'Fenwren 3, Fenwren 3 Flash, Fenwren Think', 'Wren, Wren for Teams'),
  organisation('Quillmere', 'quillmere', 'Tamarisk-2, Tamarisk-2 Air', 'Quillmere Draft, Margin'),
  organisation('Tessaro AI', 'tessaro', 'Ostara 70B, Ostara 12B, Ostara-R1', 'Tessaro Studio, Mosaic'),
  organisation('Orrinfield', 'orrinfield', 'Saltbush 5, Saltbush 5 Nano', 'Orrin Notebook, Fieldwork'),
  organisation('Bluefern Research', 'bluefern', 'Frond-XL, Frond-Coder 34B', 'Fern CLI, Canopy'),
  organisation('Marlowe Systems', 'marlowe-systems', 'Kittiwake 2.5, Kittiwake Voice', 'Marlowe Desk, Ledgerline'),
  organisation('Vantrell', 'vantrell', 'Hornbeam-1, Hornbeam-1 Pro', 'Vantrell Assist, Relay'),
  organisation(
    'Copperleaf Institute',
    'copperleaf-institute',
    'Petrichor 8B, Petrichor 32B',
    'Copperleaf Bench, Herbarium',
  ),
  organisation('Sablecove', 'sablecove', 'Thornbill, Thornbill Deep', 'Cove, Cove Code'),
  organisation('Ister & Vane', 'istervane', 'Weathervane 3, Weathervane Edge', 'Vane Browser, Compass'),
  organisation('Palimpsest AI', 'palimpsest-ai', 'Vellum 2, Vellum 2 Long', 'Palimpsest Read, Gloss'),
  organisation('Dovetail Robotics', 'dovetail-robotics', 'Joinery-VLA, Joinery Mini', 'Dovetail Arm, Workbench'),
  organisation('Glasswing Compute', 'glasswing-compute', 'Cicada 1T, Cicada 120B', 'Glasswing Batch, Hatch'),
  organisation('Emberline', 'emberline', 'Cinder 3, Cinder 3 Turbo', 'Ember Inbox, Hearth'),
  organisation(
    '青屿智能|Qingyu Intelligence',
    'qingyu-ai',
    '青屿-M3|Qingyu-M3, 青屿-M3 Lite|Qingyu-M3 Lite, 青屿 Think|Qingyu Think',
    '屿问|Yuwen, 屿写|Yuxie',
  ),
  organisation(
    '砚溪科技|Yanxi Technology',
    'yanxi-tech',
    '墨池 2.0|Mochi 2.0, 墨池-R|Mochi-R, 墨池 Coder|Mochi Coder',
    '砚台|Yantai, 临帖助手|Lintie',
  ),
  organisation(
    '霁川实验室|Jichuan Lab',
    'jichuan-lab',
    '霁月 72B|Jiyue 72B, 霁月 7B|Jiyue 7B, 霁月-VL|Jiyue-VL',
    '川上|Chuanshang, 雨停日程|Yuting',
  ),
  organisation(
    '九皋计算|Jiugao Compute',
    'jiugao',
    '鹤鸣-3|Heming-3, 鹤鸣-3 Flash|Heming-3 Flash',
    '鹤鸣工坊|Heming Works, 长空|Changkong',
  ),
  organisation(
    '苔痕研究院|Taihen Institute',
    'taihen',
    '苔原 14B|Taiyuan 14B, 苔原-Math|Taiyuan-Math',
    '阶前|Jieqian, 苔痕评测|Taihen Eval',
  ),
  organisation(
    '萤序科技|Yingxu',
    'yingxu',
    '流萤 1.5|Liuying 1.5, 流萤 Audio|Liuying Audio',
    '萤火剪辑|Yinghuo Cut, 序章|Xuzhang',
  ),
  organisation(
    '汀洲云|Tingzhou Cloud',
    'tingzhou-cloud',
    '白鹭 200B|Bailu 200B, 白鹭-Agent|Bailu-Agent',
    '汀洲控制台|Tingzhou Console, 渡口|Dukou',
  ),
  organisation(
    '榫卯动力|Sunmao Dynamics',
    'sunmao-dynamics',
    '斗拱-VLA|Dougong-VLA, 斗拱 Mini|Dougong Mini',
    '匠手|Jiangshou, 工台|Gongtai',
  ),
  organisation(
    '栈桥数据|Zhanqiao Data',
    'zhanqiao',
    '潮汐 9B|Chaoxi 9B, 潮汐-Embed|Chaoxi-Embed',
    '栈桥检索|Zhanqiao Search, 潮汐表格|Chaoxi Sheets',
  ),
];

/** Who tells the news. The organisations' own pages come beside them. */
export const OUTLETS: readonly { name: string; domain: string; language: 'zh' | 'en' }[] = [
  ...[
    '格物周报:gewu-weekly',
    '深夜编译器:midnight-compiler',
    '参数之外:beyond-params',
    '南窗科技评论:nanchuang',
    '梯度下山:downhill',
    '硅上春秋:silicon-annals',
  ].map(outlet('zh')),
  ...[
    '机杼日报:jizhu-daily',
    '开源半月谈:open-fortnight',
    '窄门笔记:narrow-gate',
    '白盒研究社:whitebox',
    '橘洲夜话:juzhou',
    '算力观察站:compute-watch',
  ].map(outlet('zh')),
  ...[
    'The Lantern Review:lantern-review',
    'Tensor Gazette:tensor-gazette',
    'Second Pass:second-pass',
    'Machine Ledger:machine-ledger',
    'Loss Curves:loss-curves',
  ].map(outlet('en')),
  ...[
    'Plain Weights:plain-weights',
    'The Cold Start:cold-start',
    'Signal & Prior:signal-prior',
    'Harbour Tech Wire:harbour-wire',
    'Token Economy Notes:token-notes',
  ].map(outlet('en')),
  ...[
    'Preprint Watch:preprint-watch',
    'Small Models Digest:small-models',
    'Tabs & Spaces:tabs-and-spaces',
    'Eval Club:eval-club',
  ].map(outlet('en')),
];

export const OUTLETS_IN = {
  zh: OUTLETS.filter(({ language }) => language === 'zh'),
  en: OUTLETS.filter(({ language }) => language === 'en'),
};

function outlet(language: 'zh' | 'en') {
  return (text: string) => {
    const [name = '', domain = ''] = text.split(':');
    return { name, domain: `${domain}.example`, language };
  };
}

export const BENCHMARKS = [
  'HarborBench',
  'LongRoad-128',
  'CodeQuarry',
  'MathOrchard',
  'AgentRelay',
  'DocuMaze',
  'TwelveTables',
  'SeeSay-VQA',
  'LabBench-Chem',
  'OpenPantry',
  '九章题库',
  '知微评测',
] as const;

export const TASKS = lines(`
  长文档问答|long-document question answering
  多步数学推理|multi-step mathematical reasoning
  仓库级代码修改|repository-scale code changes
  表格与票据理解|tables and receipts
  中英互译|Chinese–English translation
  语音实时对话|real-time voice conversation
  浏览器自动操作|browser automation
  科研文献综述|literature review
  客服工单处理|support ticket triage
  合同条款比对|contract comparison
  图表解读|chart reading
  机器人抓取|robotic grasping
`);

export const FIELDS = lines(`
  医疗影像|medical imaging
  法律检索|legal research
  中小学教育|school education
  跨境电商|cross-border retail
  工业质检|factory inspection
  公共图书馆|public libraries
  农业气象|farm weather
  新药筛选|drug screening
  建筑设计|architecture
  保险理赔|insurance claims
  地方档案|local archives
  海运调度|shipping schedules
`);

export const METHODS = lines(`
  稀疏注意力回收|sparse attention recycling
  可验证的思维链|verifiable chains of thought
  课程式强化学习|curriculum reinforcement learning
  推理预算分配|reasoning budget allocation
  分层记忆检索|tiered memory retrieval
  专家路由剪枝|expert routing pruning
  草稿模型投机解码|speculative decoding with draft models
  合成数据去重|synthetic data deduplication
  低秩在线更新|low-rank online updates
  多智能体互评|multi-agent peer review
  量化感知蒸馏|quantisation-aware distillation
  偏好噪声校正|preference noise correction
`);

export const CITIES = lines(`
  杭州|Hangzhou
  成都|Chengdu
  新加坡|Singapore
  里斯本|Lisbon
  蒙特利尔|Montreal
  奥斯陆|Oslo
  墨尔本|Melbourne
  大阪|Osaka
  鹿特丹|Rotterdam
  贵阳|Guiyang
  赫尔辛基|Helsinki
  厦门|Xiamen
`);

export const LICENCES = [
  'MIT',
  'Apache 2.0',
  '自定义商用许可|a custom commercial licence',
  '研究许可|a research licence',
].map(both);

export const AUDIENCES = lines(`
  独立开发者|independent developers
  企业管理员|enterprise administrators
  在校学生|students
  内容编辑|editors
  数据分析师|data analysts
  运维团队|operations teams
  小型工作室|small studios
  客服主管|support leads
`);
