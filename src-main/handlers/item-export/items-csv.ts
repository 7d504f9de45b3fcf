import { stringify } from 'csv-stringify/sync';
import { xmlText } from '../export-text/xml-text.ts';
import type { ExportFrame } from '../../contract/model/export.ts';
import type { ItemRow } from '../../contract/model/item.ts';

/** The service's field names (sheet 3, "Item"), then what is known here. */
const COLUMNS: readonly [name: string, value: (row: ItemRow) => string | number | boolean | null][] = [
  ['id', ({ id }) => id],
  ['title', ({ title }) => title],
  ['originalTitle', ({ originalTitle }) => originalTitle],
  ['summary', ({ summary }) => summary],
  ['source', ({ source }) => source.name],
  ['category', ({ category }) => category],
  ['score', ({ score }) => score],
  ['selected', ({ inSelectedSet }) => inSelectedSet],
  ['reason', ({ reason }) => reason],
  ['original', ({ links }) => links.original],
  ['page', ({ links }) => links.aihot],
  ['attribution', ({ attribution }) => attribution?.name ?? null],
  ['attributionUrl', ({ attribution }) => attribution?.url ?? null],
  ['publishedAt', ({ publishedAt }) => publishedAt],
  ['discoveredAt', ({ discoveredAt }) => discoveredAt],
  ['effectiveAt', ({ effectiveAt }) => effectiveAt],
  ['revisedAt', ({ revisedAt }) => revisedAt],
  ['withdrawnAt', ({ withdrawnAt }) => withdrawnAt],
  ['readAt', ({ state }) => state.readAt],
  ['starredAt', ({ state }) => state.starredAt],
];

/** Spreadsheets skip some leading characters before they look for a formula. */
const LEADING = /^[\s\p{Cf}]+(?=[=+\-@＝＋－＠])/u;

/** Rows without a header (RFC 4180). A text that a spreadsheet would run as a formula gets an apostrophe before it. */
export function csvText(rows: readonly ItemRow[]): string {
  return stringify(
    rows.map((row) => COLUMNS.map(([, value]) => cellOf(value(row)))),
    { escape_formulas: true, record_delimiter: '\r\n', quoted_match: /[\r\n;\t]/ },
  );
}

export function csvFrame(): ExportFrame {
  return {
    name: 'broadsheet-items.csv',
    mediaType: 'text/csv; charset=utf-8',
    // With a byte order mark, spreadsheets read the file as UTF-8.
    head: stringify([COLUMNS.map(([name]) => name)], { bom: true, record_delimiter: '\r\n' }),
    separator: '',
    tail: '',
  };
}

function cellOf(value: string | number | boolean | null): string {
  return value === null ? '' : xmlText(String(value)).replace(LEADING, '');
}
