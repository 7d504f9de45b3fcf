import { z } from 'zod';
import { oneLine } from '../../common/text.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { USER_DATA_FORMAT, USER_DATA_VERSION, type UserDataFile } from '../../contract/user-data.ts';

const MAX_QUOTED = 120;

/** Records are validated one by one, so that a bad one doesn't make the others unreadable. */
const HEADER = z.object({ format: z.literal(USER_DATA_FORMAT), version: z.int().min(1) });
const BODY = z.object({
  settings: z.record(z.string(), z.unknown()).optional(),
  records: z.array(z.unknown()),
});

/** Settings may be missing or incomplete, and records may be anything. */
export interface ReadUserData {
  settings: unknown;
  records: unknown[];
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
  if (body.success) return { settings: body.data.settings, records: body.data.records };
  const [issue] = body.error.issues;
  throw refusal(oneLine(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'not understood'}`, MAX_QUOTED));
}

/** Writes one record per line, so that diff tools can compare exports. */
export function formatUserData({ records, ...head }: UserDataFile): string {
  const members = Object.entries(head).map(([name, value]) => ` ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  const lines = records.map((record) => `  ${JSON.stringify(record)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n ]`;
  return `{\n${members.join(',\n')},\n "records": ${list}\n}\n`;
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
