import { markdownTable } from 'markdown-table';

/** @typedef {import('./list.mjs').RequirementList} RequirementList */
/** @typedef {import('./list.mjs').Requirement} Requirement */
/** @typedef {import('./tagged-tests.mjs').TaggedTest} TaggedTest */

/**
 * Compares the requirements with the tests that name them, and returns the problems.
 * @param {readonly RequirementList[]} lists
 * @param {readonly TaggedTest[]} tests
 * @returns {string[]}
 */
export function problemsOf(lists, tests) {
  const requirements = requirementsOf(lists);
  const known = new Set(requirements.map(({ id }) => id));
  const held = new Set(tests.flatMap(({ ids }) => ids));
  const twice = requirements.filter(({ id }, index) => requirements.findIndex((other) => other.id === id) !== index);
  return [
    ...twice.map(({ id }) => `${id} is listed twice`),
    ...tests.flatMap(({ file, title, ids }) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file}: "${title}" names ${id}, which is no requirement`),
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
 * @param {readonly TaggedTest[]} tests
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

/** @param {RequirementList} list @param {readonly TaggedTest[]} tests */
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

/** @param {Requirement} requirement @param {readonly TaggedTest[]} tests */
function rowOf({ id, text, exception }, tests) {
  const names = tests.filter(({ ids }) => ids.includes(id)).map(({ file, title }) => `\`${file}\` ${escaped(title)}`);
  if (exception !== null) names.push(`**${exception.kind}:** ${exception.reason}`);
  return [`\`${id}\``, text.replaceAll('|', '\\|'), names.join('<br>')];
}

/** Escapes a title as plain text of a cell. @param {string} title */
function escaped(title) {
  return title.replaceAll(/[\\`*_{}[\]<|$]/g, '\\$&').replaceAll(/\s+/g, ' ');
}

/** @param {readonly RequirementList[]} lists */
function requirementsOf(lists) {
  return lists.flatMap(({ sections }) => sections.flatMap(({ requirements }) => requirements));
}
