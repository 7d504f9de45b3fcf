/**
 * A requirement: one fact of a service's document, in our own words.
 * @typedef {object} Requirement
 * @property {string} id such as `news-4.1-limit`: document, section, fact
 * @property {string} text
 * @property {{ kind: 'Not met' | 'No test', reason: string } | null} exception why no test is needed to hold it
 */

/**
 * @typedef {object} RequirementList
 * @property {string} title
 * @property {{ title: string, requirements: Requirement[] }[]} sections
 * @property {string[]} problems
 */

const heading = /^(##?) (.+)$/;
const entry = /^- `([^`]+)` (\S.*)$/;
const exception = /^ {2}- (Not met|No test): (\S.*)$/;
const id = /^[a-z]+-(\d+(?:\.\d+)*)(?:-[a-z0-9]+)+$/;

/**
 * Reads a list in Markdown: a title, sections with the numbers of the service's document, and one line per requirement.
 * `  - Not met: reason` or `  - No test: reason` below a requirement excuses it.
 * @param {string} document the first part of every id
 * @param {string} text
 * @returns {RequirementList}
 */
export function readRequirements(document, text) {
  /** @type {RequirementList} */
  const list = { title: '', sections: [], problems: [] };
  for (const [index, line] of text.split('\n').entries()) {
    const problem = readLine(list, document, line);
    if (problem !== null) list.problems.push(`docs/requirements/${document}.md:${index + 1}: ${problem}`);
  }
  return list;
}

/**
 * @param {RequirementList} list
 * @param {string} document
 * @param {string} line
 * @returns {string | null} what is wrong with the line
 */
function readLine(list, document, line) {
  const [, level, title = ''] = heading.exec(line) ?? [];
  if (level === '#') list.title = title;
  if (level === '##') list.sections.push({ title, requirements: [] });
  const section = list.sections.at(-1);
  if (level !== undefined || section === undefined) return null;
  const requirement = section.requirements.at(-1);
  const [, name, text = ''] = entry.exec(line) ?? [];
  if (name !== undefined) {
    section.requirements.push({ id: name, text, exception: null });
    return misnamed(name, document, section.title);
  }
  const [, kind, reason = ''] = exception.exec(line) ?? [];
  if (kind !== undefined && requirement?.exception === null) {
    requirement.exception = { kind: kind === 'Not met' ? kind : 'No test', reason };
    return null;
  }
  // A line that only looks like an entry would leave its requirement out.
  return /^\s*[-*|+]/.test(line) ? 'neither a requirement nor its exception' : null;
}

/**
 * @param {string} name
 * @param {string} document
 * @param {string} section
 */
function misnamed(name, document, section) {
  const [number = ''] = section.split(' ');
  if (id.exec(name)?.[1] === number && name.startsWith(`${document}-`)) return null;
  return `"${name}" should look like "${document}-${number}-what"`;
}
