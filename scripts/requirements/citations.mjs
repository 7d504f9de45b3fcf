/** @typedef {import('./list.mjs').RequirementList} RequirementList */

const factId = /\bobserved-\d+(?:-[a-z0-9]+)+/g;
const sectionCitation = /\bdocument ([12]),? sections? (\d[\d.]*(?:(?:, | and | to |, and )\d[\d.]*)*)/g;
const sheetCitation = /\bsheet \d+/g;

/**
 * Finds citations without a target: of a fact that observed.md doesn't have, of a section that a document's list
 * doesn't have, or of a numbered sheet, which is never part of the project. Also finds facts that nothing cites.
 *
 * @param {Record<'news' | 'models' | 'observed', RequirementList>} lists
 * @param {readonly { path: string, text: string }[]} files
 * @returns {string[]}
 */
export function citationProblems(lists, files) {
  const facts = lists.observed.sections.flatMap(({ requirements }) => requirements.map(({ id }) => id));
  /** @type {Set<string>} */
  const cited = new Set();
  /** @type {string[]} */
  const problems = [];
  for (const { path, text: lines } of files) {
    // A citation can be broken over two lines of a comment.
    const text = lines.replaceAll(/\s*\n[ \t]*(?:\*|\/\/|#)?[ \t]*/g, ' ');
    for (const [id] of text.matchAll(factId)) {
      cited.add(id);
      if (!facts.includes(id)) problems.push(`${path} cites ${id}, which docs/requirements/observed.md does not have`);
    }
    for (const [citation, document, numbers = ''] of text.matchAll(sectionCitation)) {
      const { sections } = document === '1' ? lists.news : lists.models;
      const missing = numbers.split(/, and |, | and | to /).find((number) => !hasSection(sections, number));
      if (missing !== undefined) problems.push(`${path} cites "${citation}", but there is no section ${missing}`);
    }
    for (const [citation] of text.matchAll(sheetCitation))
      problems.push(`${path} cites "${citation}", which is not in the repository`);
  }
  return [...problems, ...facts.filter((id) => !cited.has(id)).map((id) => `${id} is cited nowhere: remove it`)];
}

/**
 * Checks a section's number. A section that a list does not divide contains all of its parts.
 *
 * @param {RequirementList['sections']} sections
 * @param {string} given
 */
function hasSection(sections, given) {
  const number = given.replace(/\.$/, '');
  const numbers = sections.map(({ title }) => title.split(' ')[0] ?? '');
  if (numbers.includes(number)) return true;
  const [chapter = ''] = number.split('.');
  return numbers.includes(chapter) && !numbers.some((other) => other.startsWith(`${chapter}.`));
}
