import { vendorName } from '../../common/model-line.ts';
import { withoutMarkup } from '../../common/text.ts';
import { addDays, addMonths, asTime, instant, mondayOf, startOfDay } from '../../common/time.ts';
import { type ReportKind, isReportLabel } from '../../contract/model/report.ts';
import { noteOfHit, reportOfNote } from '../../contract/model/note.ts';
import type { ModelLine } from '../../contract/model/model.ts';
import { MODEL_LISTS, type ModelListName } from '../../contract/model/resource.ts';
import type { Story } from '../../contract/model/story.ts';
import type { Name } from '../../contract/records.ts';
import { readOrNull } from '../database/stored-json.ts';
import { THIS_SERVICE } from '../database/properties.ts';
import { joinRecord } from '../records.ts';
import { hasNoteSql, subjectOf } from '../user-data/notes.ts';
import { keyAt } from '../items/time-key.ts';
import * as models from '../models/model-queries.ts';
import * as documents from '../documents.ts';
import { headField, VERSION } from '../documents.ts';
import type { DocumentEntry, Documents, DocumentTexts } from './document-search.ts';
import { row, rows, sql, type Db } from '../sql.ts';
import { indexedReports, KINDS, readTexts, rowsMatching } from './report-index.ts';

interface StoryRow {
  id: string;
  version: string;
  gone_at: number | null;
  latest_at: string | null;
  starred_at: number | null;
  noted: number;
}

interface ReportRow {
  kind: ReportKind;
  label: string;
  version: string;
  generated_at: string | null;
  gone_at: number | null;
  read_at: number | null;
  noted: number;
}

interface NoteEntryRow {
  id: string;
  changed_at: number;
  source_name: string | null;
  unread: number | null;
  starred: number | null;
}

const NO_FACTS = { unread: false, starred: false, withdrawn: false, hasNote: false };
const NO_HIT = { source: null, unread: null, starred: null, report: null, model: null };

const STORIES = sql`SELECT document.id, ${VERSION} AS version, gone_at, ${headField('latestAt')} AS latest_at,
    star.value AS starred_at, ${hasNoteSql('story', 'document.id')} AS noted FROM document
  ${joinRecord('story', 'document.id', 'star')}
  WHERE document.kind = 'story' AND body IS NOT NULL`;
const REPORT_ID = "document.kind || '/' || document.id";
const REPORTS = sql`SELECT document.kind, document.id AS label, ${VERSION} AS version, gone_at,
    ${headField('generatedAt')} AS generated_at, read.value AS read_at, ${hasNoteSql('report', REPORT_ID)} AS noted
  FROM document ${joinRecord('report', REPORT_ID, 'read')}
  WHERE document.kind IN (${KINDS}) AND body IS NOT NULL`;
const NOTES = sql`SELECT note.id, note.value ->> '$.changedAt' AS changed_at, item.source_name, item_index.unread,
    item_index.starred
  FROM user.record AS note LEFT JOIN main.item AS item ON item.id = substr(note.id, 6) AND note.id LIKE 'item/%'
  LEFT JOIN main.item_index AS item_index ON item_index.key = item.key
  WHERE note.service = ${THIS_SERVICE} AND note.kind = 'note' AND note.value IS NOT NULL`;
const NOTE = sql`SELECT value ->> '$.text' AS text, value ->> '$.title' AS title, value ->> '$.link' AS link
  FROM user.record WHERE service = ${THIS_SERVICE} AND kind = 'note' AND id = ? AND value IS NOT NULL`;

export function storyDocuments(db: Db): Documents {
  let merged = new Map<string, { id: string }[]>();
  const idsOf = (id: string): string[] => [id, ...(merged.get(id) ?? []).map((one) => one.id)];
  const read = (id: string): DocumentTexts | null => {
    const text = documents.find(db, 'story', id)?.body ?? null;
    if (text === null) return null;
    const { title, digest, latest, reports, sourceCount } = JSON.parse(text) as Story;
    return {
      title,
      texts: [
        { field: 'digest', text: digest === null ? null : withoutMarkup(digest) },
        { field: 'latest', text: latest },
        ...idsOf(id).map((one) => ({ field: 'id' as const, text: one })),
      ],
      names: [title, ...idsOf(id)],
      sources: reports.map(({ source }) => source.name),
      sourceCount,
    };
  };
  return {
    kind: 'stories',
    entries: () => {
      const merges = rows<{ id: string; survivor: string }>(
        db,
        'SELECT public_id AS id, survivor FROM story_alias ORDER BY public_id',
      );
      merged = Map.groupBy(merges, ({ survivor }) => survivor);
      const stories = rows<StoryRow>(db, STORIES);
      return stories.map((story) => storyEntry({ ...story, version: `${story.version} ${idsOf(story.id).join(' ')}` }));
    },
    textsOf: (id) => readOrNull(db, () => read(id)),
  };
}

function storyEntry({ id, version, gone_at, latest_at, starred_at, noted }: StoryRow): DocumentEntry {
  const at = timeOf(latest_at);
  const starred = starred_at !== null;
  return {
    id,
    version,
    at,
    facts: { ...NO_FACTS, key: keyAt(at), starred, withdrawn: gone_at !== null, hasNote: noted === 1 },
    hit: { ...NO_HIT, at: asTime(at || null), starred },
  };
}

export function reportDocuments(db: Db): Documents {
  return {
    kind: 'reports',
    entries: () =>
      rows<ReportRow>(db, REPORTS)
        .filter(({ kind, label }) => isReportLabel(kind, label))
        .map(reportEntry),
    textsOf: (id) => {
      const [kind = '', label = ''] = id.split('/');
      return readTexts(db, kind as ReportKind, label);
    },
    index: { entries: () => indexedReports(db), rows: (match) => rowsMatching(db, match) },
    // The days of a report begin in the time zone of this computer.
    version: () => String(new Date().getTimezoneOffset()),
  };
}

function reportEntry({ kind, label, version, generated_at, gone_at, read_at, noted }: ReportRow): DocumentEntry {
  const { first, last } = daysOf(kind, label);
  const [start, end] = [startOfDay(first), startOfDay(last)];
  const unread = read_at === null;
  return {
    id: `${kind}/${label}`,
    version,
    at: end,
    // A report matches `before:` and `after:` by all of its days.
    facts: {
      ...NO_FACTS,
      ...{ key: keyAt(start), endKey: keyAt(end), unread, withdrawn: gone_at !== null, hasNote: noted === 1 },
    },
    hit: { ...NO_HIT, at: generated_at ?? asTime(end), unread, report: { kind, label } },
  };
}

function daysOf(kind: ReportKind, label: string): { first: string; last: string } {
  if (kind === 'daily') return { first: label, last: label };
  if (kind === 'weekly') return { first: mondayOf(label), last: addDays(mondayOf(label), 6) };
  return { first: `${label}-01`, last: addDays(`${addMonths(label, 1)}-01`, -1) };
}

export function modelDocuments(db: Db, owner: () => string): Documents {
  let lines = new Map<string, ModelLine>();
  let aliases = new Map<string, string[]>();
  return {
    kind: 'models',
    version: owner,
    entries: () => {
      aliases = new Map(
        [...Map.groupBy(models.aliases(db), ({ model }) => model)].map(([id, all]) => [
          id,
          all.map(({ alias }) => alias),
        ]),
      );
      lines = new Map(
        MODEL_LISTS.flatMap((list) => models.list(db, owner(), list).lines).map((line) => [
          idOf(line.modelList, line.id),
          line,
        ]),
      );
      return [...lines].map(([id, line]) => modelEntry(id, line, aliases.get(line.id) ?? []));
    },
    textsOf: (id) => {
      const line = lines.get(id);
      if (!line) return null;
      const others = aliases.get(line.id) ?? [];
      return {
        title: line.name,
        texts: [
          { field: 'id', text: line.id },
          ...others.map((text) => ({ field: 'alias' as const, text })),
          { field: 'description', text: line.description },
        ],
        names: [line.name, line.id, line.id.slice(line.id.indexOf('/') + 1), ...others],
        sources: [],
      };
    },
  };
}

function idOf(modelList: ModelListName, id: string): string {
  return `${modelList}/${id}`;
}

function modelEntry(id: string, line: ModelLine, aliases: readonly string[]): DocumentEntry {
  const at = line.created === null ? timeOf(line.firstSeenAt) : line.created * 1_000;
  const starred = line.favouriteAt !== null;
  return {
    id,
    version: [line.name, line.description ?? '', ...aliases].join('\0'),
    at,
    facts: { ...NO_FACTS, key: keyAt(at), starred },
    hit: {
      ...{ ...NO_HIT, at: asTime(at || null), source: vendorName(line), starred },
      model: { modelList: line.modelList, id: line.id },
    },
  };
}

/** Searches only the words of notes: their subject is found by itself. Conditions such as `is:unread` test the item. */
export function noteDocuments(db: Db): Documents {
  const read = (id: string): DocumentTexts | null => {
    const key = noteOfHit(id);
    const note = key && row<Name & { text: string }>(db, NOTE, id);
    if (!note) return null;
    const { title, source } = subjectOf(db, key, note);
    return {
      title,
      isTitleSearched: false,
      texts: [{ field: 'note', text: note.text }],
      names: [],
      sources: source === '' ? [] : [source],
    };
  };
  return {
    kind: 'notes',
    entries: () => rows<NoteEntryRow>(db, NOTES).flatMap((one) => noteEntry(one) ?? []),
    textsOf: (id) => readOrNull(db, () => read(id)),
  };
}

function noteEntry({ id, changed_at: at, source_name: source, unread, starred }: NoteEntryRow): DocumentEntry | null {
  const key = noteOfHit(id);
  if (!key) return null;
  return {
    id,
    version: `${String(at)} ${source ?? ''}`,
    at,
    facts: { ...NO_FACTS, key: keyAt(at), unread: unread === 1, starred: starred === 1, hasNote: true },
    hit: { ...NO_HIT, at: asTime(at), source, report: key.kind === 'report' ? reportOfNote(key.id) : null },
  };
}

function timeOf(time: string | null): number {
  return instant(time) ?? 0;
}
