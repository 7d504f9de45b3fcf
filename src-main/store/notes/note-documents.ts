import type { Database } from 'better-sqlite3';
import { asTime } from '../../common/timestamp.ts';
import { noteHitId, noteOfHit, reportOfNote, type NoteKind } from '../../contract/model/note.ts';
import { readOrNull } from '../database/stored-json.ts';
import { THIS_MIRROR } from '../database/this-mirror.ts';
import { keyAt } from '../items/time-key.ts';
import { lineOf } from '../reports/report-rows.ts';
import { changeMark } from '../search/change-mark.ts';
import type { DocumentEntry, Documents } from '../search/document-search.ts';
import type { DocumentTexts } from '../search/folded-document.ts';

interface NoteEntryRow {
  kind: NoteKind;
  id: string;
  changed_at: number;
  source_name: string | null;
  unread: number | null;
  starred: number | null;
}

interface NoteTextRow {
  text: string;
  item_title: string | null;
  source_name: string | null;
  story_title: string | null;
  line: string | null;
}

const SUBJECTS = `LEFT JOIN main.item AS item ON note.kind = 'item' AND item.id = note.id`;

/**
 * The reader's notes, by their own words only: what a note is about is found by itself. Its title is shown. The time is that of
 * the last change; `is:unread`, `is:starred` and `source:` ask for those of the item.
 */
export function noteDocuments(database: Database): Documents {
  const rows = database.prepare<[], NoteEntryRow>(
    `SELECT note.kind, note.id, note.changed_at, item.source_name, item_index.unread, item_index.starred
     FROM user.note AS note ${SUBJECTS} LEFT JOIN main.item_index AS item_index ON item_index.key = item.key
     WHERE note.mirror = ${THIS_MIRROR}`,
  );
  const note = database.prepare<[string, string], NoteTextRow>(
    `SELECT note.text, item.title AS item_title, item.source_name, story.title AS story_title, report.line
     FROM user.note AS note ${SUBJECTS}
     LEFT JOIN main.story AS story ON note.kind = 'story' AND story.public_id = note.id AND story.body IS NOT NULL
     LEFT JOIN main.report AS report ON note.kind = 'report' AND report.kind || '/' || report.label = note.id
     WHERE note.mirror = ${THIS_MIRROR} AND note.kind = ? AND note.id = ?`,
  );
  const read = (id: string): DocumentTexts | null => {
    const key = noteOfHit(id);
    const row = key && note.get(key.kind, key.id);
    if (!row) return null;
    const { line } = row;
    const headline = line === null ? null : readOrNull(database, () => lineOf({ line }).headline ?? null);
    return {
      title: row.item_title ?? row.story_title ?? headline ?? '',
      isTitleSearched: false,
      texts: [{ field: 'note', text: row.text }],
      names: [],
      sources: [row.source_name],
    };
  };
  return {
    kind: 'notes',
    entries: () => rows.all().map(noteEntry),
    textsOf: (id) => readOrNull(database, () => read(id)),
    mark: changeMark(database, ['main', 'user']),
  };
}

function noteEntry({ kind, id, changed_at: at, source_name: source, unread, starred }: NoteEntryRow): DocumentEntry {
  return {
    id: noteHitId({ kind, id }),
    version: `${String(at)} ${source ?? ''}`,
    at,
    facts: { key: keyAt(at), unread: unread === 1, starred: starred === 1, withdrawn: false, hasNote: true },
    hit: {
      at: asTime(at),
      source,
      unread: null,
      starred: null,
      report: kind === 'report' ? reportOfNote(id) : null,
      model: null,
    },
  };
}
