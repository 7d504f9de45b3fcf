import type { Database } from 'better-sqlite3';
import { canonicalAddress } from '../../common/canonical-address.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import type {
  Citation,
  Correction,
  Edition,
  EditionKind,
  EditionLine,
  ShownCitation,
  StoredEdition,
} from '../../contract/model/report.ts';
import { Addresses } from '../items/addresses-table.ts';
import { lineOf, type EditionRow } from './report-rows.ts';
import { asTime } from '../items/item-rows.ts';

interface LineRow extends Pick<EditionRow, 'line' | 'gone_at'> {
  stored: number;
  read_at: number | null;
  corrections: number;
}

interface CorrectionRow {
  at: number;
  change: Correction['kind'];
  section: string | null;
  field: string | null;
  before: string | null;
  after: string | null;
}

interface ShelfRow extends EditionRow {
  read_at: number | null;
}

const MIRROR = `(SELECT value FROM main.property WHERE name = 'source')`;
const READ_MARK = `LEFT JOIN user.edition_mark AS read
  ON read.mirror = ${MIRROR} AND read.kind = edition.kind AND read.label = edition.label`;

/** What is stored of daily, weekly and monthly reports, with what the reader did with them. Reads only. */
export class EditionShelf {
  readonly #addresses: Addresses;
  readonly #lines;
  readonly #get;
  readonly #corrections;
  readonly #previous;
  readonly #next;

  constructor(database: Database) {
    this.#addresses = new Addresses(database);
    this.#lines = database.prepare<[string], LineRow>(
      `SELECT line, body IS NOT NULL AS stored, gone_at, read_at,
              (SELECT count(*) FROM correction WHERE kind = edition.kind AND label = edition.label) AS corrections
       FROM edition ${READ_MARK} WHERE edition.kind = ? ORDER BY edition.label DESC`,
    );
    this.#get = database.prepare<[string, string], ShelfRow>(
      `SELECT edition.*, read_at FROM edition ${READ_MARK} WHERE edition.kind = ? AND edition.label = ?`,
    );
    this.#corrections = database.prepare<[string, string], CorrectionRow>(
      'SELECT at, change, section, field, before, after FROM correction WHERE kind = ? AND label = ? ORDER BY id DESC',
    );
    this.#previous = database.prepare<[string, string], string | null>(neighbour('max', '<')).pluck();
    this.#next = database.prepare<[string, string], string | null>(neighbour('min', '>')).pluck();
  }

  /** Everything that the indexes have listed, newest first. */
  index(kind: EditionKind): EditionLine[] {
    return this.#lines.all(kind).map((row) => ({
      ...lineOf(row),
      stored: row.stored === 1,
      goneAt: asTime(row.gone_at),
      readAt: asTime(row.read_at),
      corrections: row.corrections,
    }));
  }

  /** Errors: `not_found`, with words for an edition that is listed and not fetched yet. */
  get(kind: EditionKind, label: string): StoredEdition {
    const row = this.#get.get(kind, label);
    if (!row) throw notListed();
    if (row.body === null || row.fetched_at === null) throw row.gone_at === null ? notFetched() : goneUnread();
    const { sections, flashes, ...edition } = JSON.parse(row.body) as Edition;
    return {
      ...edition,
      sections: sections.map((section) => ({ ...section, items: section.items.map(this.#shown) })),
      flashes: flashes.map(this.#shown),
      fetchedAt: new Date(row.fetched_at).toISOString(),
      goneAt: asTime(row.gone_at),
      readAt: asTime(row.read_at),
      corrections: this.#corrections.all(kind, label).map(toCorrection),
      previous: this.#previous.get(kind, label) ?? null,
      next: this.#next.get(kind, label) ?? null,
    };
  }

  readonly #shown = (citation: Citation): ShownCitation => {
    const key = canonicalAddress(citation.links.original);
    if (key === null) return { ...citation, itemId: null, readAt: null, key };
    const items = this.#addresses.itemsAt(key);
    const readAt = this.#addresses.readAt(key) ?? items.find(({ read_at }) => read_at !== null)?.read_at ?? null;
    return { ...citation, itemId: items.at(-1)?.id ?? null, readAt: asTime(readAt), key };
  };
}

function neighbour(which: 'max' | 'min', side: '<' | '>'): string {
  return `SELECT ${which}(label) FROM edition WHERE kind = ? AND label ${side} ? AND (body IS NOT NULL OR gone_at IS NULL)`;
}

function toCorrection({ at, change, section, field, before, after }: CorrectionRow): Correction {
  const text = field !== null && before !== null && after !== null ? { field, before, after } : null;
  return { at: new Date(at).toISOString(), kind: change, section, text };
}

function notListed(): BroadsheetError {
  return new BroadsheetError('not_found', 'The service has not listed this edition. See which ones there are first.');
}

function notFetched(): BroadsheetError {
  return new BroadsheetError(
    'not_found',
    'This edition is listed, but it has not been fetched yet. Synchronise first.',
    {
      retryable: true,
    },
  );
}

function goneUnread(): BroadsheetError {
  return new BroadsheetError('not_found', 'The service no longer has this edition, and it was not stored before.');
}
