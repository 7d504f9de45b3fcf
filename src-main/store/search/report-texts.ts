import type { Database } from 'better-sqlite3';
import type { Report, ReportHeader } from '../../contract/model/report.ts';
import { readOrNull } from '../database/stored-json.ts';
import { lineOf } from '../reports/report-rows.ts';
import type { DocumentTexts } from './folded-document.ts';

/** What is searched in a report: headline, overview, sections and citations. Null if it can't be read. */
export function reportTexts(
  database: Database,
  label: string,
  row: { line: string; body: string },
): DocumentTexts | null {
  return readOrNull(database, () =>
    textsOf(
      label,
      row.body,
      readOrNull(database, () => lineOf(row)),
    ),
  );
}

function textsOf(label: string, body: string, listed: ReportHeader | null): DocumentTexts {
  const report = JSON.parse(body) as Report;
  const citations = [...report.sections.flatMap(({ items }) => items), ...report.flashes];
  return {
    title: report.headline ?? listed?.headline ?? label,
    texts: [
      { field: 'overview', text: report.overview ?? listed?.overview ?? null },
      ...report.sections.map(({ summary }) => ({ field: 'overview' as const, text: summary })),
      ...citations.flatMap(({ title, summary }) => [
        { field: 'citation' as const, text: title },
        { field: 'citation' as const, text: summary },
      ]),
      { field: 'id', text: label },
    ],
    names: [report.headline ?? label, label],
    sources: citations.map(({ source }) => source.name),
  };
}
