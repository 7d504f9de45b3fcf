import { markdownTable } from 'markdown-table';

/** @typedef {import('./list.mjs').RequirementList} RequirementList */
/** @typedef {import('./list.mjs').Requirement} Requirement */

/**
 * A test file, and the requirements that its tests name: `// Holds: news-4.1-limit, news-8-items-limit` above a test.
 * @typedef {object} TaggedFile
 * @property {string} file
 * @property {string[]} ids
 * @property {string[]} problems
 */

/** A marker and the first line of code below it. */
const marked = /^[ \t]*\/\/ Holds: (.*)$(?=(?:\n[ \t]*\/\/.*)*\n[ \t]*(.*))/gm;
/** The beginning of a test that always runs, which those with other modifiers (skip, todo, skipIf, runIf, fails) may not. */
const test = /^(?:it|test)(?:\(|\.each\b|\.for\b|$)/;
const conditionalGroup = /\bdescribe\.(?:skip|todo|skipIf|runIf)\b/;

/**
 * Reads the markers of a file.
 * @param {string} file
 * @param {string} text
 * @returns {TaggedFile}
 */
export function taggedFile(file, text) {
  const markers = [...text.matchAll(marked)].map(([, ids = '', below = '']) => ({
    ids: ids.split(',').map((id) => id.trim()),
    counts: test.test(below),
  }));
  const named = (/** @type {boolean} */ counts) =>
    markers.filter((marker) => marker.counts === counts).flatMap(({ ids }) => ids);
  if (markers.length > 0 && (!file.endsWith('.test.ts') || conditionalGroup.test(text)))
    return { file, ids: [], problems: [`${file} names requirements, but its tests do not always run`] };
  return {
    file,
    ids: named(true),
    problems: named(false).map((id) => `${file}: ${id} is not above a test that always runs`),
  };
}

/**
 * Compares the requirements with the tests that name them, and returns the problems.
 * @param {readonly RequirementList[]} lists
 * @param {readonly TaggedFile[]} tests
 * @returns {string[]}
 */
export function problemsOf(lists, tests) {
  const requirements = requirementsOf(lists);
  const known = new Set(requirements.map(({ id }) => id));
  const held = new Set(tests.flatMap(({ ids }) => ids));
  const twice = requirements.filter(({ id }, index) => requirements.findIndex((other) => other.id === id) !== index);
  return [
    ...twice.map(({ id }) => `${id} is listed twice`),
    ...tests.flatMap(({ file, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file} names ${id}, which is no requirement`),
    ),
    ...requirements
      .filter(({ id, exception }) => exception === null && !held.has(id))
      .map(({ id, text }) => `${id} has no test: ${text}`),
    ...requirements
      .filter(({ id, exception }) => exception !== null && held.has(id))
      .map(({ id }) => `${id} has a test: remove its exception`),
  ];
}

/**
 * Formats the table of the requirements with their tests.
 * @param {readonly RequirementList[]} lists
 * @param {readonly TaggedFile[]} tests
 */
export function coverageTable(lists, tests) {
  const requirements = requirementsOf(lists);
  /** @param {'Not met' | 'No test'} kind */
  const count = (kind) => requirements.filter(({ exception }) => exception?.kind === kind).length;
  const named = new Set(tests.flatMap(({ ids }) => ids));
  const held = requirements.filter(({ id }) => named.has(id)).length;
  const heading = [
    '# The documents and the tests that hold them',
    '',
    '`npm run requirements` writes this page from [news.md](news.md), [models.md](models.md) and the tests that name their',
    'entries; `npm run check` fails if it is out of date or if an entry has no test.',
    '',
    `${requirements.length} requirements: ${held} with tests, ${count('Not met')} not met, ${count('No test')} without behaviour to test.`,
  ];
  return [...heading, ...lists.flatMap((list) => partOf(list, tests)), ''].join('\n');
}

/** @param {RequirementList} list @param {readonly TaggedFile[]} tests */
function partOf({ title, sections }, tests) {
  return sections
    .filter(({ requirements }) => requirements.length > 0)
    .flatMap((section, index) => [
      ...(index === 0 ? ['', `## ${title}`] : []),
      '',
      `### ${section.title}`,
      '',
      markdownTable(
        [['Id', 'Requirement', 'Tests'], ...section.requirements.map((requirement) => rowOf(requirement, tests))],
        // Aligned columns would change every line with the longest one.
        { alignDelimiters: false, padding: true },
      ),
    ]);
}

/** @param {Requirement} requirement @param {readonly TaggedFile[]} tests */
function rowOf({ id, text, exception }, tests) {
  const names = tests.filter(({ ids }) => ids.includes(id)).map(({ file }) => `\`${file}\``);
  if (exception !== null) names.push(`**${exception.kind}:** ${exception.reason}`);
  return [`\`${id}\``, text.replaceAll('|', '\\|'), names.join('<br>')];
}

/** @param {readonly RequirementList[]} lists */
function requirementsOf(lists) {
  return lists.flatMap(({ sections }) => sections.flatMap(({ requirements }) => requirements));
}
