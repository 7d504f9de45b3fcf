import { z } from 'zod';
import { ERROR_CODES, FAILURE_REASONS, type Failure } from '../../contract/errors.ts';
import { MARKS_REFUSALS, type MarksFolder } from '../../contract/model/marks-folder.ts';
import type { Queries } from '../../store/index.ts';
import type { MachineInFolder } from './folder-files.ts';

/** Times are ms since 1970. */
export interface Comparison {
  machines: MachineInFolder[];
  unreadable: number;
  /** Lines that no key opens. */
  sealed: number;
  /** Unencrypted files of other machines, if this one encrypts. */
  plain: number;
  refused: MarksFolder['refused'];
  isKeyMissing: boolean;
  comparedAt: number | null;
  failure: Failure | null;
}

export const NOT_COMPARED: Comparison = {
  machines: [],
  unreadable: 0,
  sealed: 0,
  plain: 0,
  refused: [],
  isKeyMissing: false,
  comparedAt: null,
  failure: null,
};

/** For commands that read while another process has the folder. */
export const COMPARISON_PROPERTY = 'marks_comparison';

const TIME = z.number().nullable();
const STORED = z.object({
  folder: z.string(),
  machines: z.array(z.object({ id: z.string(), name: z.string(), seenAt: TIME })),
  unreadable: z.int(),
  sealed: z.int().default(0),
  plain: z.int().default(0),
  refused: z.array(z.object({ reason: z.enum(MARKS_REFUSALS), count: z.int() })).default([]),
  isKeyMissing: z.boolean().default(false),
  comparedAt: TIME,
  failure: z
    .object({
      code: z.enum(ERROR_CODES),
      message: z.string(),
      retryable: z.boolean(),
      requestId: z.string().exactOptional(),
      reason: z.enum(FAILURE_REASONS).exactOptional(),
    })
    .nullable(),
});

export function formatComparison(folder: string, comparison: Comparison): string {
  return JSON.stringify({ folder, ...comparison });
}

export function lastComparison({ marks, mirror }: Pick<Queries, 'marks' | 'mirror'>): Comparison {
  const stored = mirror.json(COMPARISON_PROPERTY, STORED);
  return stored !== null && stored.folder === marks.config?.folder ? stored : NOT_COMPARED;
}

export function marksStatus({ marks }: Pick<Queries, 'marks'>, comparison: Comparison): MarksFolder {
  const { folder = null, machine, encrypted = false, settings = false } = marks.config ?? {};
  const { machines, unreadable, sealed, plain, refused, isKeyMissing, comparedAt, failure } = comparison;
  return {
    folder,
    machines: machines.map(({ id, name, seenAt }) => ({ id, name, isThis: id === machine, seenAt: asText(seenAt) })),
    comparedAt: asText(comparedAt),
    ...marks.counts(),
    unreadable,
    encrypted,
    settings,
    locked: isKeyMissing || sealed > 0,
    sealed,
    plain,
    refused,
    failure,
  };
}

function asText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
