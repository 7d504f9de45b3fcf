import { stringify } from 'csv-stringify/sync';
import { removeForbidden } from '../../common/text.ts';

export type CsvColumn<T> = readonly [name: string, value: (record: T) => string | number | boolean | null];

/** Spreadsheets ignore these before a formula. */
const LEADING = /^[\s\p{Cf}]+(?=[=+\-@＝＋－＠])/u;

/** With a byte order mark, spreadsheets read the file as UTF-8. */
export function csvHead<T>(columns: readonly CsvColumn<T>[]): string {
  return stringify([columns.map(([name]) => name)], { bom: true, record_delimiter: '\r\n' });
}

/** RFC 4180. A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function toCsv<T>(records: readonly T[], columns: readonly CsvColumn<T>[]): string {
  return stringify(
    records.map((record) => columns.map(([, value]) => formatCell(value(record)))),
    { escape_formulas: true, record_delimiter: '\r\n', quoted_match: /[\r\n;\t]/ },
  );
}

function formatCell(value: string | number | boolean | null): string {
  return value === null ? '' : removeForbidden(String(value)).replace(LEADING, '');
}
