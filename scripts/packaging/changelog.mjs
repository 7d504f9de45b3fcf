/** CHANGELOG.md: a part for each version, and first one for what has changed since. */

const UNRELEASED = '## Unreleased\n';

/**
 * Returns what is written below the heading of the coming version; empty if nothing is.
 * @param {string} changelog
 */
export function notesOf(changelog) {
  const start = changelog.indexOf(UNRELEASED);
  if (start === -1) return '';
  const [notes = ''] = changelog.slice(start + UNRELEASED.length).split(/^## /m);
  return notes.trim();
}

/**
 * Gives the coming version its number and date, and begins the next one.
 * @param {string} changelog
 * @param {{ version: string, date: string }} release date: such as 2026-11-20
 */
export function releasedIn(changelog, { version, date }) {
  return changelog.replace(UNRELEASED, () => `${UNRELEASED}\n## ${version} (${date})\n`);
}
