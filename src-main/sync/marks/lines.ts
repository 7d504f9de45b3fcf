import { hash } from 'node:crypto';
import { z } from 'zod';
import { LAST_EPOCH, LAST_TIME, MACHINE_ID, MARK_KINDS, type Mark } from '../../common/marks.ts';
import { readMarkValue } from '../../store/index.ts';

/** Marks of one line: a line is checked as a whole, and parsed in less than a millisecond. */
const MARKS_A_LINE = 500;
/** The longest line, in bytes. */
export const LONGEST_LINE = 1_048_576;
const CHECKSUM_LENGTH = 16;

const LINE = /^\{"sum":"([0-9a-f]{16})","data":(.*)\}$/s;

/** A line with a checksum, without its line feed. `content` is JSON. */
export function sealLine(content: string): string {
  return `{"sum":"${checksum(content)}","data":${content}}`;
}

/** The content of a line; null if the line is not whole. */
export function openLine(line: string): string | null {
  const [, sum, content] = LINE.exec(line) ?? [];
  return content !== undefined && checksum(content) === sum ? content : null;
}

/** Marks that share everything but their ids: one line for what was marked at once. */
const GROUP = z.object({
  k: z.enum(MARK_KINDS),
  s: z.string().max(2048),
  by: z.string().regex(MACHINE_ID),
  e: z.int().min(0).max(LAST_EPOCH),
  t: z.int().min(0).max(LAST_TIME),
  v: z.unknown(),
  ids: z.array(z.string().min(1).max(8192)).min(1).max(MARKS_A_LINE),
});

/** The lines for marks, without line feeds. Marks that were made at once share lines. */
export function linesOf(marks: readonly Mark[]): string[] {
  const groups = new Map<string, { head: string; ids: string[] }>();
  for (const { kind, service, id, epoch, time, machine, value } of marks) {
    const head = `{"k":${JSON.stringify(kind)},"s":${JSON.stringify(service)},"by":"${machine}","e":${String(epoch)},"t":${String(time)},"v":${value ?? 'null'}`;
    const group = groups.get(head) ?? { head, ids: [] };
    groups.set(head, group);
    group.ids.push(id);
  }
  return [...groups.values()].flatMap(({ head, ids }) =>
    Array.from({ length: Math.ceil(ids.length / MARKS_A_LINE) }, (_none, part) => {
      const some = ids.slice(part * MARKS_A_LINE, (part + 1) * MARKS_A_LINE);
      return sealLine(`${head},"ids":${JSON.stringify(some)}}`);
    }),
  );
}

/**
 * The marks of a line; null if the line is not whole: cut off or changed. Marks that this version does
 * not know, or whose value means nothing, are left out.
 */
export function marksOf(line: string): Mark[] | null {
  const content = line.length > LONGEST_LINE ? null : openLine(line);
  if (content === null) return null;
  let raw: unknown;
  try {
    raw = JSON.parse(content);
  } catch {
    return null;
  }
  const { success, data } = GROUP.safeParse(raw);
  if (!success) return [];
  const { k: kind, s: service, by: machine, e: epoch, t: time, ids } = data;
  return ids.flatMap((id) => {
    const value = readMarkValue({ kind, service, id }, data.v);
    return value === undefined ? [] : [{ kind, service, id, epoch, time, machine, value }];
  });
}

function checksum(content: string): string {
  return hash('sha256', content, 'hex').slice(0, CHECKSUM_LENGTH);
}
