import { describe, expect, it } from 'vitest';
import { categories } from '../../src-main/common/i18n/labels.ts';
import { CATEGORY_NAMES, MOST_QUERY_TERMS, parseQuery, type QueryTerm } from '../../src-main/common/query.ts';
import { KNOWN_CATEGORIES } from '../../src-main/contract/model/item.ts';
import { pick, seededRandom } from '../store/search/search-items.ts';

/** A term in short: `-source:"Eval"`, or the words. */
function short(term: QueryTerm): string {
  return `${term.negated ? 'not ' : ''}${body(term)}`;
}

function body(term: QueryTerm): string {
  switch (term.kind) {
    case 'words':
      return `[${term.text}]${term.starred ? '*' : ''}${term.open ? '…' : ''}`;
    case 'source':
      return `source ${term.whole ? '=' : '~'} ${term.text}${term.open ? '…' : ''}`;
    case 'category':
      return `category ${term.category}`;
    case 'is':
      return `is ${term.state}`;
    case 'has':
      return `has ${term.part}`;
    case 'score':
      return `score ${term.comparison} ${String(term.score)}`;
    default:
      return `${term.kind} ${'day' in term ? term.day : `${String(term.ago / 3_600_000)} h ago`}`;
  }
}

const inShort = (text: string): string =>
  parseQuery(text)
    .alternatives.map((terms) => terms.map(short).join(' & '))
    .join(' | ');
const problemsOf = (text: string): string[] => parseQuery(text).problems.map(({ code, text: of }) => `${code}: ${of}`);

describe('a query', () => {
  it.each([
    // Words, as before.
    ['new model ', '[new] & [model]'],
    ['new mod', '[new] & [mod]…'],
    ['"new model" gpt* ', '[new model] & [gpt*]*'],
    ['"new mod"*', '[new mod]*'],
    ['"new mod', '[new mod]…'],
    ['model -old -"very old"', '[model] & not [old] & not [very old]'],
    ['gpt-5 --flag ', '[gpt-5] & [--flag]'],
    ['https://example.org/a:b 12:30 ', '[https://example.org/a:b] & [12:30]'],
    // Each operator.
    ['source:Eval ', 'source ~ Eval'],
    ['source:Eval', 'source ~ Eval…'],
    ['source:"Eval Notes"', 'source = Eval Notes'],
    ['category:paper', 'category paper'],
    ['category:Papers category:"AI-Models"', 'category paper & category ai-models'],
    ['category:"类别 A"', 'category 类别 A'],
    [
      'is:unread is:read is:starred is:selected is:withdrawn is:muted',
      'is unread & is read & is starred & is selected & is withdrawn & is muted',
    ],
    ['has:story has:note', 'has story & has note'],
    ['after:7d -after:24h before:30D ', 'after 168 h ago & not after 24 h ago & before 720 h ago'],
    ['before:2026-11-20 after:2026-11', 'before 2026-11-20 & after 2026-11-01'],
    ['after:2026/3/5 after:2026 after:2026.03.05', 'after 2026-03-05 & after 2026-01-01 & after 2026-03-05'],
    [
      'score:>80 score:>=80 score:<9.5 score:<=7 score:80',
      'score > 80 & score >= 80 & score < 9.5 & score <= 7 & score = 80',
    ],
    ['IS:Unread Source:Eval ', 'is unread & source ~ Eval'],
    // Negation of anything.
    [
      '-source:Eval -is:read -has:story -"a b" -c',
      'not source ~ Eval & not is read & not has story & not [a b] & not [c]',
    ],
    // OR binds less than the words beside it.
    ['a b OR c d ', '[a] & [b] | [c] & [d]'],
    ['is:starred OR score:>90 -old', 'is starred | score > 90 & not [old]'],
    ['OR a OR OR b OR', '[a] | [b]'],
    ['or a ', '[or] & [a]'],
    ['gpt source:Eval OR claude category:paper', '[gpt] & source ~ Eval | [claude] & category paper'],
  ])('%j means %s', (text, meaning) => {
    expect(inShort(text)).toBe(meaning);
  });

  it.each([
    ['推理模型 发布 ', '[推理模型] & [发布]'],
    ['“推理模型”－价格', '[推理模型] & not [价格]'],
    ['「推理 模型」', '[推理 模型]'],
    ['source：量子位 推理 ', 'source ~ 量子位 & [推理]'],
    ['来源：量子位 ', 'source ~ 量子位'],
    ['source：“机器 之心”', 'source = 机器 之心'],
    ['－source：量子位', 'not source ~ 量子位…'],
    ['category：论文，is：unread', 'category paper & is unread'],
    ['score：＞８０', 'score > 80'],
    ['score:≥80', 'score >= 80'],
    ['after：７天 晚于:24小时', 'after 168 h ago & after 24 h ago'],
    ['after：2026年11月20日 before:2026年12月 after:2026年', 'after 2026-11-20 & before 2026-12-01 & after 2026-01-01'],
    ['is：unread OR 模型 ', 'is unread | [模型]'],
  ])('in Chinese, %j means %s', (text, meaning) => {
    expect([inShort(text), problemsOf(text)]).toEqual([meaning, []]);
  });

  it.each([
    ['colour:red ', '[colour:red]', ['unknown_operator: colour:red']],
    ['is:purple ', '[is:purple]', ['unknown_value: is:purple']],
    ['-has:wings ', 'not [has:wings]', ['unknown_value: -has:wings', 'only_excludes: -has:wings']],
    ['before:yesterday ', '[before:yesterday]', ['invalid_date: before:yesterday']],
    ['after:7w ', '[after:7w]', ['invalid_date: after:7w']],
    ['after:2026-02-30 ', '[after:2026-02-30]', ['invalid_date: after:2026-02-30']],
    ['score:high ', '[score:high]', ['invalid_score: score:high']],
    ['score:>1000 ', '[score:>1000]', ['invalid_score: score:>1000']],
    // A sentence with a colon in it, and an operator that is being typed.
    ['The question is: what', '[The] & [question] & [is:] & [what]…', ['missing_value: is:']],
    ['gpt source:', '[gpt]', ['missing_value: source:']],
    ['source:"" ', '', ['missing_value: source:""']],
  ])('%j is searched as %s, and the problem is named', (text, meaning, problems) => {
    expect([inShort(text), problemsOf(text)]).toEqual([meaning, problems]);
  });

  it.each([
    ['-gpt', ['only_excludes: -gpt']],
    ['－价格 ', ['only_excludes: －价格']],
    ['-gpt  -"an old model" ', ['only_excludes: -gpt  -"an old model"']],
    ['model OR -gpt ', ['only_excludes: -gpt']],
    ['-gpt OR -old', ['only_excludes: -gpt', 'only_excludes: -old']],
    // Neither is a word.
    ['-gpt % &', ['only_excludes: -gpt % &']],
    [`-${'x'.repeat(60)} `, [`only_excludes: -${'x'.repeat(39)}`]],
    ['-gpt model ', []],
    ['-source:eval ', []],
    ['-gpt -source:eval ', []],
    ['--flag ', []],
    ['-"" ', []],
    ['- ', []],
  ])('%j finds nothing where it only leaves words out, and says so', (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });

  it('says where each part is', () => {
    const text = 'gpt －source：“Eval Notes” OR is:purple';
    const { alternatives, problems } = parseQuery(text);
    expect(alternatives.flat().map(({ from, to }) => text.slice(from, to))).toEqual([
      'gpt',
      '－source：“Eval Notes”',
      'is:purple',
    ]);
    expect(problems).toEqual([{ code: 'unknown_value', text: 'is:purple', from: 28, to: 37 }]);
  });

  it.each(['', '  ', '\u3000\n'])('%j means no search', (text) => {
    expect(parseQuery(text)).toEqual({ blank: true, alternatives: [], problems: [] });
  });

  it('is bounded, and says so', () => {
    const many = parseQuery('a '.repeat(400));
    expect(many.alternatives.flat()).toHaveLength(MOST_QUERY_TERMS);
    expect(many.problems.map(({ code }) => code)).toEqual(['too_long']);
    const long = parseQuery('x'.repeat(100_000));
    expect(long.alternatives.flat().map((term) => term.to)).toEqual([1_000]);
    expect(long.problems).toMatchObject([{ code: 'too_long', from: 1_000, to: 100_000 }]);
    expect(parseQuery('OR\n'.repeat(30_000)).alternatives.flat()).toHaveLength(1);
  });

  it('never fails, and never names a place outside of the text', () => {
    const random = seededRandom(80);
    const parts = [
      'source:',
      'is：',
      '-',
      '－',
      '"',
      '“',
      '」',
      ' ',
      ' OR ',
      'gpt',
      '模型',
      'score:>',
      '80',
      'x:y',
      '*',
      '\ud800',
      '：',
      'before:2026-01-01',
      '\0',
    ];
    for (let n = 0; n < 3_000; n++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(random, parts)).join('');
      const { alternatives, problems } = parseQuery(text);
      for (const { from, to } of [...alternatives.flat(), ...problems]) {
        expect(from >= 0 && from < to && to <= text.length, JSON.stringify(text)).toBe(true);
      }
      expect(alternatives.every(({ length }) => length > 0)).toBe(true);
    }
  });
});

it('knows the categories by the names that the interface shows', () => {
  for (const category of KNOWN_CATEGORIES) {
    const shown = (['en', 'zh-CN'] as const).map((locale) => categories[category]({}, { locale }));
    expect([category, CATEGORY_NAMES[category]]).toEqual([category, shown]);
  }
});

it.each([
  ['分类:论文', 'category:paper'],
  ['-来源：“某博客”', '-source:“某博客”'],
  ['状态:未读 含有:笔记', 'is:unread has:note'],
  ['晚于:2026-11-20 评分:>80', 'after:2026-11-20 score:>80'],
])('understands %s as %s', (chinese, english) => {
  const termsOf = (text: string) =>
    parseQuery(text).alternatives.map((terms) => terms.map(({ from: _, to: __, ...term }) => term));
  expect(termsOf(chinese)).toEqual(termsOf(english));
  expect(parseQuery(chinese).problems).toEqual([]);
});
