import type { Result } from '../../contract/api.ts';
import { reportAsServed } from '../../common/report-json.ts';
import type { StoredEdition } from '../../contract/model/report.ts';
import { editionHtml } from './report-html.ts';
import { editionMarkdown } from './report-markdown.ts';
import { editionWords } from './report-messages.ts';

type Format = 'md' | 'html' | 'json';

const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  md: 'text/markdown; charset=utf-8',
  html: 'text/html; charset=utf-8',
  json: 'application/json; charset=utf-8',
};

/** An edition as a file: its name, its type and its text. @param language a BCP 47 tag, for the words around the texts */
export function renderEdition(edition: StoredEdition, format: Format, language: string): Result<'editions.render'> {
  const name = `${edition.kind}-${edition.label}.${format}`;
  return { name, mediaType: MEDIA_TYPES[format], text: textOf(edition, format, language) };
}

function textOf(edition: StoredEdition, format: Format, language: string): string {
  if (format === 'json') return editionJson(edition);
  const words = editionWords(language);
  return format === 'html' ? editionHtml(edition, words) : editionMarkdown(edition, words);
}

/** The report under the service's own field names, as it was sent, and beside it what Broadsheet knows of it. */
function editionJson(edition: StoredEdition): string {
  const { kind, label, fetchedAt, goneAt, corrections } = edition;
  const told = { kind, label, fetchedAt, goneAt, corrections };
  return `${JSON.stringify({ report: reportAsServed(edition), broadsheet: told }, null, 2)}\n`;
}
