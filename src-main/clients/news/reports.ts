import { z } from 'zod';
import { BroadsheetError } from '../../contract/errors.ts';
import { EDITION_RESOURCE, type EditionHead, type EditionKind } from '../../contract/model/report.ts';
import type { ResourceName } from '../../contract/model/item.ts';
import type { Query } from '../http/addresses.ts';
import { LABEL_PATTERN, readEdition, readEditionIndex, type EditionReading } from './report-schemas.ts';
import type { Answer } from '../http/client.ts';
import type { AskOptions } from './client.ts';
import { brokenEnvelope, type Records } from '../parsing/records.ts';

/** The most lines that an index gives at once (document 1 section 8). */
export const LONGEST_INDEX: Readonly<Record<EditionKind, number>> = { daily: 180, weekly: 60, monthly: 60 };

/** Daily, weekly and monthly reports (document 1 sections 4.4 to 4.6). Errors: as the news client's. */
export interface EditionsClient {
  /** Which editions there are, newest first. `limit` 1 to 180 for dailies, 1 to 60 for the others. */
  editionIndex(
    kind: EditionKind,
    request: { limit: number },
    options?: AskOptions,
  ): Promise<Answer<Records<EditionHead>>>;
  /** The newest edition. Errors: also `not_found`, before the first one. */
  latestEdition(kind: EditionKind, options?: AskOptions): Promise<Answer<EditionReading>>;
  /**
   * One edition, by a label that an index or the newest edition gave: never by one that was made up. Errors: also
   * `not_found`, where it is no longer available.
   */
  edition(kind: EditionKind, label: string, options?: AskOptions): Promise<Answer<EditionReading>>;
}

type Ask = <T>(
  resource: ResourceName,
  path: string,
  query: Query,
  options: AskOptions,
  read: (value: unknown) => T,
) => Promise<Answer<T>>;

export function createEditionsClient(ask: Ask): EditionsClient {
  return {
    async editionIndex(kind, request, options = {}) {
      const limit = checkLimit(kind, request.limit);
      return ask(EDITION_RESOURCE[kind], pathOf(kind), { limit }, options, (value) => readEditionIndex(kind, value));
    },

    async latestEdition(kind, options = {}) {
      return ask(EDITION_RESOURCE[kind], `${pathOf(kind)}/latest`, {}, options, (value) => readEdition(kind, value));
    },

    async edition(kind, label, options = {}) {
      if (!LABEL_PATTERN[kind].test(label)) throw new BroadsheetError('invalid_argument', 'label: is none of its kind');
      return ask(EDITION_RESOURCE[kind], `${pathOf(kind)}/${label}`, {}, options, (value) =>
        readWanted(kind, label, value),
      );
    },
  };
}

/** A report of another label would be stored under a name that is not its own. */
function readWanted(kind: EditionKind, label: string, value: unknown): EditionReading {
  const reading = readEdition(kind, value);
  if (reading.edition.label !== label) throw brokenEnvelope('it holds another report than the one asked for');
  return reading;
}

function pathOf(kind: EditionKind): string {
  return `/api/v1/${EDITION_RESOURCE[kind]}`;
}

function checkLimit(kind: EditionKind, limit: number): number {
  const most = LONGEST_INDEX[kind];
  if (z.int().min(1).max(most).safeParse(limit).success) return limit;
  throw new BroadsheetError('invalid_argument', `limit: must be a whole number from 1 to ${String(most)}`);
}
