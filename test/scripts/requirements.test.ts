import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readRequirements } from '../../scripts/requirements/list.mjs';
import { readCitations, readCoverage } from '../../scripts/requirements/project.mjs';
import { temporaryFolder } from '../support/folders.ts';

const NEWS = ['# The news', '', '## 4.1 Items', '', '- `news-4.1-limit` Up to 100.', '- `news-4.1-q` 2 to 200.', ''];
const MODELS = ['# The models', '', '## 2 Fields', '', '- `models-2-id` An id.', ''];
/** The marker of a test. In parts, as this file has no such tests. */
const holds = (ids: string): string => ['//', 'Holds:', ids].join(' ');
const test = (ids: string, head = "it('works', () => {"): string =>
  ["import { expect, it } from 'vitest';", holds(ids), head, 'expect(limit(101)).toBe(false);', '});', ''].join('\n');
const BOTH_OTHERS = test('news-4.1-q, models-2-id');

/** The coverage of a project with these tests, by file. */
function coverageOf(tests: Record<string, string>, news: readonly string[] = NEWS) {
  const root = temporaryFolder();
  const files = {
    'docs/requirements/news.md': news.join('\n'),
    'docs/requirements/models.md': MODELS.join('\n'),
    ...tests,
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return readCoverage(root, Object.keys(tests));
}

/** Returns the problems of one test that names `news-4.1-limit`; every other requirement has its test. */
function problemsOf(text: string): string[] {
  return coverageOf({ 'test/a.test.ts': text, 'test/others.test.ts': BOTH_OTHERS }).problems;
}

describe('a list of requirements', () => {
  it('has sections with ids, texts and exceptions', () => {
    const text = [...NEWS.slice(0, 5), '  - Not met: it is too large.', ...NEWS.slice(5)].join('\n');
    expect(readRequirements('news', text)).toEqual({
      title: 'The news',
      sections: [
        {
          title: '4.1 Items',
          requirements: [
            { id: 'news-4.1-limit', text: 'Up to 100.', exception: { kind: 'Not met', reason: 'it is too large.' } },
            { id: 'news-4.1-q', text: '2 to 200.', exception: null },
          ],
        },
      ],
      problems: [],
    });
  });

  it.each([
    ['an id of another section', '- `news-4.2-limit` Up to 100.', /should look like "news-4\.1-what"/],
    ['an id of another document', '- `models-4.1-limit` Up to 100.', /should look like "news-4\.1-what"/],
    ['an id without a name', '- `news-4.1` Up to 100.', /should look like/],
    ['a line without an id', '- Up to 100.', /neither a requirement nor its exception/],
    ['a requirement without a text', '- `news-4.1-limit`', /neither a requirement nor its exception/],
    ['an exception of an unknown kind', '  - Later: it is too large.', /neither/],
    ['an exception without a reason', '  - Not met:', /neither/],
  ])('is refused with %s', (_, line, problem) => {
    const { problems } = readRequirements('news', [...NEWS, line].join('\n'));
    expect(problems).toEqual([expect.stringMatching(problem)]);
    expect(problems[0]).toContain('docs/requirements/news.md:8: ');
  });

  it('has each id once', () => {
    const { problems } = coverageOf({ 'test/a.test.ts': test('news-4.1-limit, news-4.1-q, models-2-id') }, [
      ...NEWS,
      NEWS[4]!,
    ]);
    expect(problems).toEqual(['news-4.1-limit is listed twice']);
  });
});

describe('a citation', () => {
  const OBSERVED = ['# More', '', '## 1 Items', '', '- `observed-1-fields` Many.', ''];
  const cite = (...parts: string[]): string => `/** Reads an item (${parts.join('; ')}). */\n`;
  // In parts, so that this file cites nothing.
  const fact = ['observed', '1-fields'].join('-');
  const unknown = ['observed', '1-colour'].join('-');
  const news = ['document', '1'].join(' ');
  const models = ['document', '2'].join(' ');
  const sheet = ['sheet', '3'].join(' ');

  function problemsWith(text: string, observed: readonly string[] = OBSERVED): string[] {
    const root = temporaryFolder();
    const files = { 'news.md': NEWS, 'models.md': MODELS, 'observed.md': observed };
    mkdirSync(join(root, 'docs/requirements'), { recursive: true });
    for (const [file, lines] of Object.entries(files))
      writeFileSync(join(root, 'docs/requirements', file), lines.join('\n'));
    mkdirSync(join(root, 'src-main'));
    writeFileSync(join(root, 'src-main/item.ts'), text);
    return readCitations(root, ['docs/requirements/observed.md', 'src-main/item.ts']);
  }

  it.each([
    ['an observed fact', cite(fact)],
    ['also over two lines', `/**\n * Reads ${fact} (document\n * 1 section 4.1).\n */\n`],
    ['a section and an observed fact', cite(`${news} section 4.1`, fact)],
    ['a part of a section that is listed as a whole', cite(`${models} section 2.7`, fact)],
    ['several sections', cite(`${news} sections 4.1 and 4.1`, fact)],
  ])('has a target: %s', (_, text) => {
    expect(problemsWith(text)).toEqual([]);
  });

  it.each([
    ['an observed fact that is not listed', cite(fact, unknown), `src-main/item.ts cites ${unknown}, which`],
    ['a section that is not listed', cite(fact, `${news} section 4.2`), 'there is no section 4.2'],
    ['a chapter that is not listed', cite(fact, `${models} section 8`), 'there is no section 8'],
    ['one of several sections', cite(fact, `${news} sections 4.1 and 5`), 'there is no section 5'],
    ['one over two lines', cite(fact, `${news}\n * section 6`), 'there is no section 6'],
    ['a numbered sheet', cite(fact, sheet), `"${sheet}", which is not in the repository`],
  ])('without a target fails the check: %s', (_, text, problem) => {
    expect(problemsWith(text)).toEqual([expect.stringContaining(problem)]);
  });

  it('keeps its fact in the list, which has no others', () => {
    expect(problemsWith(cite('nothing'))).toEqual([`${fact} is cited nowhere: remove it`]);
    expect(problemsWith(cite(fact), [...OBSERVED.slice(0, 5), '- Many.'])).toEqual([
      expect.stringMatching(/observed\.md:6: neither a requirement/),
    ]);
  });
});

describe('a requirement', () => {
  it('has a test, or the check fails', () => {
    expect(problemsOf(test('news-4.1-limit'))).toEqual([]);
    expect(coverageOf({ 'test/others.test.ts': BOTH_OTHERS }).problems).toEqual([
      'news-4.1-limit has no test: Up to 100.',
    ]);
  });

  it('needs no test with a reason, and then must not have one', () => {
    const excused = [...NEWS.slice(0, 5), '  - No test: only a number.', ...NEWS.slice(5)];
    const { problems, text } = coverageOf({ 'test/others.test.ts': BOTH_OTHERS }, excused);
    expect(problems).toEqual([]);
    expect(text).toContain('| **No test:** only a number. |');
    expect(text).toContain('3 requirements: 2 with tests, 0 not met, 1 without');
    const tests = { 'test/a.test.ts': test('news-4.1-limit'), 'test/others.test.ts': BOTH_OTHERS };
    expect(coverageOf(tests, excused).problems).toEqual(['news-4.1-limit has a test: remove its exception']);
  });

  it('that no list has is refused', () => {
    expect(problemsOf(test('news-4.1-limit, news-4.1-made-up'))).toEqual([
      'test/a.test.ts names news-4.1-made-up, which is no requirement',
    ]);
  });
});

describe('a test holds a requirement', () => {
  it.each([
    "it('works', () => {",
    'it.each([1, 2])("works with %d", (n) => {',
    'it.each<[number]>([[1]])("works with %d", (n) => {',
    'it\n.each([1])("works with %d", (n) => {',
    'test("works", async () => {',
  ])('%s', (head) => {
    expect(problemsOf(test('news-4.1-limit', head))).toEqual([]);
  });

  it('with several lines of ids and other comments', () => {
    const more = `${holds('news-4.1-q, models-2-id')}\n  // As a reader does.\n`;
    const { text, problems } = coverageOf({ 'test/a.test.ts': test('news-4.1-limit', `${more}it('works', () => {`) });
    expect(problems).toEqual([]);
    expect(text).toContain('| `news-4.1-limit` | Up to 100. | `test/a.test.ts` |');
  });
});

describe('a test holds nothing', () => {
  const NO_TEST = 'news-4.1-limit has no test: Up to 100.';

  // Texts for the checker to refuse: none of these runs or is skipped here.
  it.each([
    ['if it is skipped', "it.skip('works', () => {"],
    ['if it is skipped somewhere', "it.skipIf(isOld)('works', () => {"],
    ['if it runs somewhere only', "it.runIf(isNew).each([1])('works', () => {"],
    ['if it is to fail', "it.fails('works', () => {"],
    ['above a group', "describe('works', () => {"],
    ['above something else', 'const run = (() => {'],
    ['if the comment stands apart', "\nit('works', () => {"],
  ])('%s', (_, head) => {
    expect(problemsOf(test('news-4.1-limit', head))).toEqual([
      'test/a.test.ts: news-4.1-limit is not above a test that always runs',
      NO_TEST,
    ]);
  });

  it.each(["describe.skip('g', () => {", "describe.skipIf(!isBuilt)('g', () => {"])('inside %s', (around) => {
    expect(problemsOf(`${around}\n${test('news-4.1-limit')}});\n`)).toEqual([
      'test/a.test.ts names requirements, but its tests do not always run',
      NO_TEST,
    ]);
  });

  it('in a file that no project runs', () => {
    const { problems } = coverageOf({ 'test/a.ts': test('news-4.1-limit'), 'test/others.test.ts': BOTH_OTHERS });
    expect(problems).toEqual(['test/a.ts names requirements, but its tests do not always run', NO_TEST]);
  });
});
