import { hash } from 'node:crypto';
import { z } from 'zod';
import { LAST_EPOCH, LAST_TIME, MACHINE_ID, MARK_KINDS, type Mark } from '../../common/marks.ts';
import type { MarksKey } from '../../contract/model/marks-folder.ts';
import { isMarkKey, readMarkValue } from '../../store/index.ts';
import { seal, sealedOf, unseal, type Purpose } from './sealing.ts';

/** A line is checked as a whole, and parsed in less than a millisecond. */
const MARKS_A_LINE = 500;
/** In characters: with long addresses, fewer marks share a line. */
const IDS_A_LINE = 131_072;
/** In bytes. The longest that is written has some 800,000. */
export const LONGEST_LINE = 1_048_576;
/** Values of settings have a few levels. */
const DEEPEST = 16;
const MOST_MEMBERS = 20_000;
const CHECKSUM_LENGTH = 16;

const LINE = /^\{"sum":"([0-9a-f]{16})","data":(.*)\}$/s;

export function sumLine(content: string): string {
  return `{"sum":"${checksum(content)}","data":${content}}`;
}

export function wholeLine(line: string): string | null {
  const [, sum, content] = LINE.exec(line) ?? [];
  return content !== undefined && checksum(content) === sum ? content : null;
}

/** The checksum is that of the encrypted text. */
export class LineWriter {
  readonly #machine: string;
  readonly #key: MarksKey | null;

  constructor(machine: string, key: MarksKey | null) {
    this.#machine = machine;
    this.#key = key;
  }

  line(content: string, purpose: Purpose): string {
    return sumLine(this.#key ? seal(content, this.#key, this.#machine, purpose) : content);
  }
}

/** `broken`: not whole, or changed; `sealed`: no key here opens it. */
export type Opened = { content: string; isPlain: boolean } | 'broken' | 'sealed';

export function openLine(line: string, keys: readonly MarksKey[], purpose: Purpose): Opened {
  const content = line.length > LONGEST_LINE ? null : wholeLine(line);
  if (content === null) return 'broken';
  const sealed = sealedOf(content);
  if (!sealed) return { content, isPlain: true };
  const ofSalt = keys.filter(({ salt }) => salt === sealed.salt);
  if (ofSalt.length === 0) return 'sealed';
  for (const key of ofSalt) {
    const opened = unseal(sealed, key, purpose);
    if (opened !== null) return { content: opened, isPlain: false };
  }
  return 'broken';
}

/** Groups what was marked at once: one line for many ids. */
const GROUP = z.object({
  k: z.enum(MARK_KINDS),
  s: z.string().max(2048),
  by: z.string().regex(MACHINE_ID),
  e: z.int().min(0).max(LAST_EPOCH),
  t: z.int().min(0).max(LAST_TIME),
  v: z.unknown(),
  ids: z.array(z.string().min(1).max(8192)).min(1).max(MARKS_A_LINE),
});

export function contentsOf(marks: readonly Mark[]): string[] {
  const groups = new Map<string, { head: string; ids: string[] }>();
  for (const { kind, service, id, epoch, time, machine, value } of marks) {
    const head = `{"k":${JSON.stringify(kind)},"s":${JSON.stringify(service)},"by":"${machine}","e":${String(epoch)},"t":${String(time)},"v":${value ?? 'null'}`;
    const group = groups.get(head) ?? { head, ids: [] };
    groups.set(head, group);
    group.ids.push(JSON.stringify(id));
  }
  return [...groups.values()].flatMap(({ head, ids }) =>
    portions(ids).map((portion) => `${head},"ids":[${portion.join(',')}]}`),
  );
}

/**
 * Leaves out marks that this version does not know, or whose value means nothing. Null if the content is larger or
 * deeper than any version writes.
 */
export function marksOf(content: string): Mark[] | null {
  if (!isSmall(content)) return null;
  const group = parsed(content);
  // A schema checks each of a million ids before it counts them.
  if (idsIn(group) > MARKS_A_LINE) return null;
  const { success, data } = GROUP.safeParse(group);
  if (!success) return [];
  const { k: kind, s: service, by: machine, e: epoch, t: time, ids } = data;
  const value = readMarkValue(kind, data.v);
  if (value === undefined) return [];
  return ids
    .filter((id) => isMarkKey({ kind, service, id }))
    .map((id) => ({ kind, service, id, epoch, time, machine, value }));
}

/** Guards the checks of values, which call themselves for each level; a million members take long to parse. */
function isSmall(json: string): boolean {
  let [depth, members, isText] = [0, 0, false];
  for (let at = 0; at < json.length && depth <= DEEPEST && members <= MOST_MEMBERS; at += 1) {
    const character = json[at];
    if (isText) {
      if (character === '\\') at += 1;
      else if (character === '"') isText = false;
    } else if (character === '"') isText = true;
    else if (character === ',') members += 1;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
  }
  return depth <= DEEPEST && members <= MOST_MEMBERS;
}

function idsIn(group: unknown): number {
  if (typeof group !== 'object' || group === null || !('ids' in group)) return 0;
  return Array.isArray(group.ids) ? group.ids.length : 0;
}

function parsed(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return null;
  }
}

function portions(ids: readonly string[]): string[][] {
  const all: string[][] = [];
  let last: string[] = [];
  let length = 0;
  for (const id of ids) {
    if (last.length === MARKS_A_LINE || (last.length > 0 && length + id.length > IDS_A_LINE)) {
      all.push(last);
      last = [];
      length = 0;
    }
    last.push(id);
    length += id.length;
  }
  if (last.length > 0) all.push(last);
  return all;
}

function checksum(content: string): string {
  return hash('sha256', content, 'hex').slice(0, CHECKSUM_LENGTH);
}
