import type { Database } from 'better-sqlite3';
import type { ReportKind } from '../../contract/model/report.ts';
import type { ModelListName } from '../../contract/model/resource.ts';
import { modelLine } from '../../common/model-fields.ts';
import type { StoredNotification } from '../../contract/model/notification.ts';
import { recordOf } from '../models/model-records.ts';
import { lineOf } from '../reports/report-rows.ts';
import { asTime } from '../../common/timestamp.ts';
import { readable, readOrNull } from '../database/stored-json.ts';
import { newest, notifiedItems, type NotificationRecord } from './notifications.ts';
import { resolveStory } from '../stories/story-aliases.ts';
import type { StoriesTable } from '../stories/stories-table.ts';
import type { AppliedRules } from '../rules/applied-rules.ts';
import type { RulesTable } from '../rules/rules-table.ts';
import { SavedSearchNews, type SavedSearchFinding } from './saved-search-news.ts';
import { freshIn, get as storyStatus } from '../stories/story-statuses.ts';

interface ReportRow {
  line: string | null;
  gone_at: number | null;
  read_at: number | null;
}

interface NotificationQueryTables {
  stories: StoriesTable;
  rules: RulesTable;
  appliedRules: AppliedRules;
}

/** In characters: no notification shows more of a title. */
const LONGEST_TITLE = 300;

/**
 * Notifications as shown. Their titles come from the saved data, so corrected headlines appear in the history too, and
 * the titles of withdrawn content disappear.
 */
export class NotificationQueries {
  readonly #database: Database;
  readonly #stories: StoriesTable;
  readonly #searches: SavedSearchNews;
  readonly #report;
  readonly #model;

  constructor(database: Database, tables: NotificationQueryTables) {
    const { stories } = tables;
    this.#searches = new SavedSearchNews(database, tables);
    this.#database = database;
    this.#stories = stories;
    // The read status exists even for a report that is not in the mirror, for example a new one.
    this.#report = database.prepare<[string, string, string], ReportRow>(
      `WITH wanted (mirror, kind, label) AS (VALUES (?, ?, ?))
       SELECT report.line, report.gone_at, read.read_at FROM wanted
       LEFT JOIN main.report AS report USING (kind, label) LEFT JOIN user.report_status AS read USING (mirror, kind, label)`,
    );
    this.#model = database
      .prepare<[string, string, string], string>(
        'SELECT body FROM models.model WHERE owner = ? AND model_list = ? AND id = ?',
      )
      .pluck();
  }

  /** The history, newest first. */
  list(limit: number): StoredNotification[] {
    return readable(this.#database, newest(this.#database, limit), (record) => this.shown(record));
  }

  shown(record: NotificationRecord): StoredNotification {
    const { id, kind, at, count, target, toldAt } = record;
    const label = this.#labelOf(record);
    const title = this.#titleOf(record).replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE).toWellFormed();
    return { id, kind, at: asTime(at) ?? '', title, label, count, target, toldAt: asTime(toldAt) };
  }

  /** Whether a notification is no longer needed: its content was seen, unfollowed or removed. */
  isMoot(record: NotificationRecord): boolean {
    const { target, mirror } = record;
    if (target.view === 'report') {
      const row = this.#reportRow(mirror, target.kind, target.label);
      return row.gone_at !== null || row.read_at !== null;
    }
    if (target.view === 'saved') return !this.#searches.notifies(target.id) || this.stillNew(record).length === 0;
    return target.view === 'story' && this.#isStoryMoot(target.publicId);
  }

  /** The items of a notification about a saved search that are still new. */
  stillNew({ items }: NotificationRecord): string[] {
    return this.#searches.stillNew(items);
  }

  /** What came to the saved searches since write number `sequence` of the mirror, without what was notified before. */
  newInSearches(mirror: string, sequence: number): SavedSearchFinding[] {
    return this.#searches.newSince(sequence).flatMap(({ search, items }) => {
      const notified = notifiedItems(this.#database, mirror, { view: 'saved', id: search });
      const fresh = items.filter((id) => !notified.has(id));
      return fresh.length === 0 ? [] : [{ search, items: fresh }];
    });
  }

  #labelOf({ target }: NotificationRecord): string | null {
    if (target.view === 'report') return target.label;
    return target.view === 'saved' ? this.#searches.nameOf(target.id) : null;
  }

  #isStoryMoot(publicId: string): boolean {
    const id = resolveStory(this.#database, publicId);
    const status = storyStatus(this.#database, id);
    const stored = this.#stories.find(id);
    if (status === null || status.followedAt === null) return true;
    // Not saved yet in a rebuilt mirror: the news can't have been seen.
    if (!stored?.story) return stored !== null;
    if (stored.goneAt !== null) return true;
    const fresh = freshIn(stored.story, status);
    return fresh.reportIds.length === 0 && !fresh.digest;
  }

  #titleOf({ target, mirror, items }: NotificationRecord): string {
    switch (target.view) {
      case 'report': {
        const { line, gone_at: goneAt } = this.#reportRow(mirror, target.kind, target.label);
        if (line === null || goneAt !== null) return '';
        return readOrNull(this.#database, () => lineOf({ line }).headline) ?? '';
      }
      case 'story': {
        const stored = this.#stories.find(resolveStory(this.#database, target.publicId));
        return stored?.goneAt === null ? (stored.story?.title ?? '') : '';
      }
      case 'saved':
        return this.#searches.titleOf(items);
      case 'model':
        return this.#modelName(mirror, target.modelList, target.id);
      default:
        return '';
    }
  }

  #reportRow(mirror: string, kind: ReportKind, label: string): ReportRow {
    return this.#report.get(mirror, kind, label) ?? { line: null, gone_at: null, read_at: null };
  }

  #modelName(owner: string, modelList: ModelListName, id: string): string {
    const body = this.#model.get(owner, modelList, id);
    return body === undefined ? '' : modelLine(recordOf(this.#database, { id, body })).name;
  }
}
