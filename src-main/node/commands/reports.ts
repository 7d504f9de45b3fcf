import { lineAsServed, reportAsServed } from '../../common/report-json.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import {
  EDITION_RESOURCE,
  type EditionKind,
  type EditionLine,
  type StoredEdition,
} from '../../contract/model/report.ts';
import type { Wire } from '../../contract/wire.ts';
import type { Invocation } from '../invocation.ts';
import { ask } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { counted, oneLine } from '../terminal.ts';
import { editionInWords } from './report-text.ts';
import { writeList, writeOne } from './reading.ts';

/** Everything that an index has listed, newest first; as JSON under the service's names. */
export function listEditions(
  invocation: Invocation,
  kind: EditionKind,
  { unread = false, limit }: { unread?: boolean; limit?: number },
): Promise<ExitCode> {
  return writeList(invocation, {
    ...(limit !== undefined && { limit }),
    read: async (wire) => {
      const { lines } = await ask(wire, 'editions.index', { kind });
      return lines.filter(({ readAt }) => !unread || readAt === null);
    },
    asJson: lineAsJson,
    words: lineInWords,
    empty: `There are no ${EDITION_RESOURCE[kind]} to list.`,
  });
}

/** One stored report in full; as JSON under the service's names. Errors: `not_found`. */
export function showEdition(invocation: Invocation, kind: EditionKind, key: string): Promise<ExitCode> {
  return writeOne(invocation, {
    read: async (wire) => ask(wire, 'editions.get', { kind, label: await labelOf(wire, kind, key) }),
    asJson: editionAsJson,
    words: editionInWords,
  });
}

/** The label that is meant: `latest` is the newest stored one. Errors: `not_found` where there is none. */
export async function labelOf(wire: Wire, kind: EditionKind, key: string): Promise<string> {
  if (key !== 'latest') return key;
  const { lines } = await ask(wire, 'editions.index', { kind });
  const newest = lines.find(({ stored }) => stored);
  if (newest) return newest.label;
  throw new BroadsheetError('not_found', `No ${EDITION_RESOURCE[kind]} are stored yet: run \`broadsheet sync\`.`);
}

function lineAsJson(line: EditionLine): object {
  const { kind, label, stored, goneAt, readAt, corrections } = line;
  return { ...lineAsServed(line), kind, label, stored, goneAt, readAt, corrections };
}

/** The report as the service gives it, and beside it what is known of it here. */
function editionAsJson(edition: StoredEdition): object {
  const { kind, label, fetchedAt, goneAt, readAt, previous, next, corrections } = edition;
  return { ...reportAsServed(edition), kind, label, fetchedAt, goneAt, readAt, previous, next, corrections };
}

function lineInWords({ label, headline, stored, goneAt, readAt, corrections }: EditionLine): string {
  const corrected = corrections === 0 ? '' : ` (${counted(corrections, 'correction')})`;
  const missing = goneAt !== null ? ' (no longer available)' : stored ? '' : ' (not fetched yet)';
  return oneLine(`${readAt === null ? 'o' : ' '} ${label.padEnd(10)} ${headline ?? '-'}${corrected}${missing}`);
}
