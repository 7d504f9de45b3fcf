import { z } from 'zod';
import { oneLine } from '../../common/text.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { USER_DATA_FORMAT, USER_DATA_VERSION, type UserDataFile } from '../../contract/user-data.ts';

const MAX_QUOTED = 120;

/** Rows are validated one by one, so that a bad row doesn't make the others unreadable. */
const HEADER = z.object({ format: z.literal(USER_DATA_FORMAT), version: z.int().min(1) });
const BODY = z.object({
  settings: z.record(z.string(), z.unknown()).optional(),
  tables: z.record(z.string(), z.array(z.unknown())),
});

/** Settings may be missing or incomplete, and rows may contain anything. */
export interface ReadUserData {
  settings: unknown;
  tables: UserDataFile['tables'];
}

/** docs/user-data.md. Errors: `invalid_argument` with the reason; `data_newer` for a later format. */
export function parseUserData(text: string): ReadUserData {
  const file = parseJson(text);
  const header = HEADER.safeParse(file);
  if (!header.success) throw refusal('it is not a Broadsheet export');
  if (header.data.version > USER_DATA_VERSION) {
    const words = 'This file was exported by a newer Broadsheet. Import it with that version. Nothing was changed.';
    throw new BroadsheetError('data_newer', words);
  }
  const body = BODY.safeParse(file);
  if (body.success) return body.data as unknown as ReadUserData;
  const [issue] = body.error.issues;
  throw refusal(oneLine(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`, MAX_QUOTED));
}

/** Writes one row per line, so that diff tools can compare exports. */
export function formatUserData({ tables, ...head }: UserDataFile): string {
  const lists = Object.entries(tables).map(([name, rows]) => `  ${JSON.stringify(name)}: ${listOf(rows)}`);
  const members = Object.entries(head).map(([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return `{\n${members.join(',\n')},\n "tables": {\n${lists.join(',\n')}\n }\n}\n`;
}

function listOf(rows: readonly object[]): string {
  return rows.length === 0 ? '[]' : `[\n${rows.map((row) => `   ${JSON.stringify(row)}`).join(',\n')}\n  ]`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw refusal('it is not JSON, or it is incomplete');
  }
}

function refusal(why: string): BroadsheetError {
  return new BroadsheetError('invalid_argument', `This file cannot be imported: ${why}. Nothing was changed.`);
}
