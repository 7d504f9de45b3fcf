import type { Database } from 'better-sqlite3';
import { REPORT_KINDS, type ReportKind } from '../../contract/model/report.ts';
import type { NoteKey } from '../../contract/model/note.ts';
import type { Mark, MarkKind } from '../../common/marks.ts';
import type { CarriedStatus, StatusesTable } from '../items/statuses-table.ts';
import type { AppliedRules } from '../rules/applied-rules.ts';
import type { RulesTable } from '../rules/rules-table.ts';
import { writing } from '../sql.ts';
import type { StoriesTable } from '../stories/stories-table.ts';
import { resolveStory } from '../stories/story-aliases.ts';
import * as storyStatuses from '../stories/story-statuses.ts';
import * as notes from '../user-data/notes.ts';
import type { JournalRow } from './mark-journal.ts';
import { noteOfId, parseValue, reportOfId, valueText, type MarkValues } from './mark-values.ts';

/** What marks of other machines changed in the tables. Only what belongs to the mirrored service. */
export interface AppliedMarks {
  /** Items whose status changed. */
  items: string[];
  stories: string[];
  reports: { kind: ReportKind; label: string }[];
  notes: (NoteKey & { noted: boolean })[];
  /** Saved searches or mute rules changed. */
  rules: boolean;
  /** Favourite models changed. */
  models: boolean;
}

interface CurrentValue {
  kind: MarkKind;
  value: string | null;
  /** When the reader acted, in ms since 1970; null if the table does not know. */
  madeAt: number | null;
}

interface Tables {
  statuses: StatusesTable;
  stories: StoriesTable;
  rules: RulesTable;
  appliedRules: AppliedRules;
}

/** Reads marks from the reader's tables, and writes those of other machines into them. Write within a transaction. */
export class MarkTables {
  readonly #database: Database;
  readonly #tables: Tables;
  readonly #service: string;
  readonly #statements;

  /** @param service the name of the mirrored service */
  constructor(database: Database, service: string, tables: Tables) {
    this.#database = database;
    this.#service = service;
    this.#tables = tables;
    this.#statements = prepare(database);
  }

  /** What the tables have now of something that is in the journal. */
  valuesOf({ kind, service, id }: JournalRow): CurrentValue[] {
    const { status, story, report, address, favourite } = this.#statements;
    switch (kind) {
      case 'item': {
        const row = status.get(service, id);
        return [readValue(row), timeValue('star', row?.starred_at)];
      }
      case 'story': {
        const row = story.get(service, id);
        return [timeValue('follow', row?.followed_at), timeValue('story', row?.starred_at)];
      }
      case 'report': {
        const key = reportOfId(id);
        return [timeValue(kind, key && report.get(service, key.kind, key.label))];
      }
      case 'address':
        return [timeValue(kind, address.get(id))];
      case 'favourite':
        return [timeValue(kind, favourite.get(id))];
      case 'note':
        return [this.#noteValue(service, id)];
      case 'saved':
      case 'mute':
        return [this.#ruleValue(kind, id)];
      default:
        // A setting, which was carried before: it is in no table.
        return [];
    }
  }

  /** Writes marks into the tables. Returns what changed, and which there is no room for. */
  apply(marks: readonly Mark[]): { applied: AppliedMarks; leftOut: ReadonlySet<Mark> } {
    const applied: AppliedMarks = { items: [], stories: [], reports: [], notes: [], rules: false, models: false };
    const leftOut = new Set<Mark>();
    const statuses: CarriedStatus[] = [];
    for (const mark of marks) {
      if (mark.kind === 'read' || mark.kind === 'star') statuses.push(statusOf(mark));
      else if (!this.#applyOne(mark, applied)) leftOut.add(mark);
    }
    applied.items = this.#tables.statuses.carry(statuses);
    if (applied.rules) this.#tables.appliedRules.follow(this.#tables.rules.sources());
    return { applied, leftOut };
  }

  /** Returns false if there is no room. */
  #applyOne(mark: Mark, applied: AppliedMarks): boolean {
    const { kind, service, id, value } = mark;
    const isHere = service === this.#service;
    switch (kind) {
      case 'follow':
      case 'story':
        this.#applyStory(mark);
        if (isHere) applied.stories.push(id);
        return true;
      case 'report': {
        const key = reportOfId(id);
        const reportKind = REPORT_KINDS.find((one) => one === key?.kind);
        if (!key || !reportKind) return true;
        this.#setTime('report', [service, key.kind, key.label], value);
        if (isHere) applied.reports.push({ kind: reportKind, label: key.label });
        return true;
      }
      case 'address':
        this.#setTime('address', [id], value);
        return true;
      case 'favourite':
        this.#setTime('favourite', [id], value);
        applied.models = true;
        return true;
      case 'note':
        return this.#applyNote(mark, applied);
      case 'saved': {
        applied.rules = true;
        const search = value === null ? null : parseValue('saved', value);
        return this.#tables.rules.carrySaved(
          id,
          search && { id, ...texts(search), position: search.position, created_at: search.createdAt },
        );
      }
      case 'mute': {
        applied.rules = true;
        const rule = value === null ? null : parseValue('mute', value);
        return this.#tables.rules.carryMute(id, rule && { id: rule.id, query: id, created_at: rule.createdAt });
      }
      default:
        return true;
    }
  }

  #applyStory({ kind, service, id, value }: Mark): void {
    const db = writing(this.#database);
    const at = value === null ? null : Number(value);
    const isHere = service === this.#service;
    // What this machine has of the story counts as seen, as if it were followed here.
    if (isHere && kind === 'follow' && at !== null) {
      storyStatuses.follow(db, id, true, this.#tables.stories.find(id)?.story ?? null, at);
    }
    const { follow, unfollow, starStory, emptyStory } = this.#statements;
    if (kind === 'story') starStory.run(service, id, at);
    else if (at === null) unfollow.run(service, id);
    else follow.run(service, id, at);
    emptyStory.run(service, id);
    const survivor = isHere ? resolveStory(db, id) : id;
    if (survivor !== id) storyStatuses.move(db, id, survivor);
  }

  #applyNote({ service, id, value }: Mark, applied: AppliedMarks): boolean {
    const key = noteOfId(id);
    if (!key) return true;
    const db = writing(this.#database);
    const note = value === null ? null : parseValue('note', value);
    const isTaken = notes.carry(
      db,
      { ...key, mirror: service },
      note && { text: note.text, created_at: note.createdAt, changed_at: note.changedAt },
    );
    if (service !== this.#service) return isTaken;
    const survivor = notes.resolve(db, key).id;
    if (survivor !== key.id) notes.moveStory(db, key.id, survivor);
    applied.notes.push({ ...key, noted: note !== null });
    return isTaken;
  }

  #setTime(table: 'report' | 'address' | 'favourite', key: string[], value: string | null): void {
    const { put, remove } = this.#statements.times[table];
    if (value === null) remove.run(...key);
    else put.run(...key, Number(value));
  }

  #noteValue(service: string, id: string): CurrentValue {
    const key = noteOfId(id);
    const row = key && this.#statements.note.get(service, key.kind, key.id);
    if (!row) return { kind: 'note', value: null, madeAt: null };
    const value = { text: row.text, createdAt: row.created_at, changedAt: row.changed_at };
    return { kind: 'note', value: valueText('note', value), madeAt: row.changed_at };
  }

  #ruleValue(kind: 'saved' | 'mute', id: string): CurrentValue {
    const { rules } = this.#tables;
    if (kind === 'mute') {
      const row = rules.mutes().find(({ query }) => query === id);
      const value = row ? valueText('mute', { id: row.id, createdAt: row.created_at }) : null;
      return { kind, value, madeAt: null };
    }
    const row = rules.saved().find((one) => one.id === id);
    if (!row) return { kind, value: null, madeAt: null };
    const { name, query, position, created_at: createdAt } = row;
    const notify = row.notify === 0 ? 0 : 1;
    return { kind, value: valueText('saved', { name, query, notify, position, createdAt }), madeAt: null };
  }
}

interface StatusColumns {
  read_at: number | null;
  starred_at: number | null;
  marked_at: number | null;
}

function readValue(row: StatusColumns | undefined): CurrentValue {
  const { read_at: readAt = null, marked_at: unreadAt = null } = row ?? {};
  if (readAt !== null) return { kind: 'read', value: valueText('read', { readAt }), madeAt: readAt };
  if (unreadAt !== null) return { kind: 'read', value: valueText('read', { unreadAt }), madeAt: unreadAt };
  return { kind: 'read', value: null, madeAt: null };
}

function timeValue(kind: MarkKind, at: number | null | undefined): CurrentValue {
  return { kind, value: at === null || at === undefined ? null : String(at), madeAt: at ?? null };
}

function statusOf({ kind, service, id, value }: Mark): CarriedStatus {
  const key = { mirror: service, id };
  if (kind === 'star') return { ...key, starred_at: value === null ? null : Number(value) };
  const read = value === null ? null : parseValue('read', value);
  if (read === null) return { ...key, read_at: null, marked_at: null };
  // That it was marked as unread before does not matter to what is read.
  return 'readAt' in read ? { ...key, read_at: read.readAt } : { ...key, read_at: null, marked_at: read.unreadAt };
}

function texts({ name, query, notify }: MarkValues['saved']): Pick<MarkValues['saved'], 'name' | 'query' | 'notify'> {
  return { name, query, notify };
}

function prepare(database: Database) {
  const story = (column: string): string =>
    `INSERT INTO user.story_status (mirror, public_id, ${column}, seen) VALUES (?, ?, ?, '[]')
     ON CONFLICT DO UPDATE SET ${column} = excluded.${column}`;
  const time = (table: string, key: string, column: string) => ({
    put: database.prepare<(string | number)[]>(
      `INSERT INTO user.${table} (${key}, ${column}) VALUES (${key.replace(/\w+/g, '?')}, ?)
       ON CONFLICT DO UPDATE SET ${column} = excluded.${column}`,
    ),
    remove: database.prepare<string[]>(`DELETE FROM user.${table} WHERE (${key}) = (${key.replace(/\w+/g, '?')})`),
  });
  return {
    status: database.prepare<[string, string], StatusColumns>(
      `SELECT read_at, starred_at, marked_at FROM user.item_status LEFT JOIN user.unread_mark USING (mirror, item_id)
       WHERE mirror = ? AND item_id = ?`,
    ),
    story: database.prepare<[string, string], { followed_at: number | null; starred_at: number | null }>(
      'SELECT followed_at, starred_at FROM user.story_status WHERE mirror = ? AND public_id = ?',
    ),
    report: database
      .prepare<[string, string, string], number>(
        'SELECT read_at FROM user.report_status WHERE mirror = ? AND kind = ? AND label = ?',
      )
      .pluck(),
    address: database.prepare<[string], number>('SELECT read_at FROM user.address_status WHERE address = ?').pluck(),
    favourite: database.prepare<[string], number>('SELECT at FROM user.model_favourite WHERE model = ?').pluck(),
    note: database.prepare<[string, string, string], { text: string; created_at: number; changed_at: number }>(
      'SELECT text, created_at, changed_at FROM user.note WHERE mirror = ? AND kind = ? AND id = ?',
    ),
    follow: database.prepare<[string, string, number]>(story('followed_at')),
    starStory: database.prepare<[string, string, number | null]>(story('starred_at')),
    unfollow: database.prepare<[string, string]>(
      `UPDATE user.story_status SET followed_at = NULL, visited_at = NULL, seen = '[]', digest_seen = NULL
       WHERE mirror = ? AND public_id = ?`,
    ),
    emptyStory: database.prepare<[string, string]>(
      `DELETE FROM user.story_status WHERE mirror = ? AND public_id = ? AND followed_at IS NULL AND starred_at IS NULL`,
    ),
    times: {
      report: time('report_status', 'mirror, kind, label', 'read_at'),
      address: time('address_status', 'address', 'read_at'),
      favourite: time('model_favourite', 'model', 'at'),
    },
  };
}
