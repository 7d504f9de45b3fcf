import type { Database } from 'better-sqlite3';
import type { EditionKind } from '../../contract/model/report.ts';
import type { Listing } from '../../contract/model/item.ts';

/** An edition that the service has listed, as far as notices look at it. */
export interface ListedEdition {
  label: string;
  /** Its text is stored, and the service has it still. */
  stored: boolean;
  /** It was never asked for: its text comes with a later round. */
  missing: boolean;
}

/** What changed in a listing since a refresh of its log. */
export interface ListingNews {
  /** The newest refresh: its number, and its time in ms since 1970. Null for none after the one that was asked about. */
  refresh: { id: number; at: number } | null;
  /** Models with changes, each once. */
  models: string[];
}

interface EditionRow {
  label: string;
  stored: number;
  missing: number;
}

/** What the stored tables say of what happened since it was looked at. Reads only. */
export class NoticeSources {
  readonly #newestLabel;
  readonly #editions;
  readonly #newestRefresh;
  readonly #refreshesAfter;
  readonly #models;
  readonly #isListed;

  constructor(database: Database) {
    this.#newestLabel = database
      .prepare<[string], string | null>('SELECT max(label) FROM main.edition WHERE kind = ?')
      .pluck();
    this.#editions = database.prepare<[string, string], EditionRow>(
      `SELECT edition.label, body IS NOT NULL AND gone_at IS NULL AS stored,
              body IS NULL AND gone_at IS NULL AND asked_at IS NULL AS missing
       FROM main.edition LEFT JOIN journal.edition_ask AS ask ON ask.kind = edition.kind AND ask.label = edition.label
       WHERE edition.kind = ? AND edition.label > ? ORDER BY edition.label`,
    );
    this.#newestRefresh = database
      .prepare<[string, string], number | null>('SELECT max(id) FROM catalogue.refresh WHERE owner = ? AND listing = ?')
      .pluck();
    this.#refreshesAfter = database.prepare<[string, string, number], { id: number; at: number }>(
      'SELECT id, at FROM catalogue.refresh WHERE owner = ? AND listing = ? AND id > ? ORDER BY id DESC LIMIT 1',
    );
    this.#models = database
      .prepare<[string, string, number], string>(
        `SELECT DISTINCT model FROM catalogue.refresh JOIN catalogue.change ON change.refresh = refresh.id
         WHERE owner = ? AND listing = ? AND refresh.id > ? AND other_key = 0 ORDER BY model`,
      )
      .pluck();
    this.#isListed = database
      .prepare<[string, string, string], number>(
        'SELECT 1 FROM catalogue.model WHERE owner = ? AND listing = ? AND id = ?',
      )
      .pluck();
  }

  /** The newest edition that the service has named, stored or not; '' before the first one. */
  newestLabel(kind: EditionKind): string {
    return this.#newestLabel.get(kind) ?? '';
  }

  /** Oldest first. */
  editionsAfter(kind: EditionKind, label: string): ListedEdition[] {
    return this.#editions
      .all(kind, label)
      .map((row) => ({ label: row.label, stored: row.stored === 1, missing: row.missing === 1 }));
  }

  /** The number of a listing's newest refresh; 0 before the first one. `owner` is a gateway's `catalogueName`. */
  newestRefresh(owner: string, listing: Listing): number {
    return this.#newestRefresh.get(owner, listing) ?? 0;
  }

  /** What only another key shows or hides is no news. */
  listingAfter(owner: string, listing: Listing, refresh: number): ListingNews {
    const newest = this.#refreshesAfter.get(owner, listing, refresh) ?? null;
    return { refresh: newest, models: newest ? this.#models.all(owner, listing, refresh) : [] };
  }

  isListed(owner: string, listing: Listing, model: string): boolean {
    return this.#isListed.get(owner, listing, model) === 1;
  }
}
