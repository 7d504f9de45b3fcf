import { z } from 'zod';
import { FOLDER_REFUSALS, type SharedFolderStatus } from '../../contract/model/devices.ts';
import { FAILURE, type Queries } from '../../store/index.ts';

export const COMPARISON_PROPERTY = 'devices_comparison';

const TIME = z.number().nullable();
const STORED = z.object({
  folder: z.string(),
  devices: z.array(z.object({ id: z.string(), name: z.string(), seenAt: TIME })),
  unreadable: z.int(),
  sealed: z.int(),
  plain: z.int(),
  refused: z.array(z.object({ reason: z.enum(FOLDER_REFUSALS), count: z.int() })),
  isKeyMissing: z.boolean(),
  comparedAt: TIME,
  failure: FAILURE.nullable(),
});

export type Comparison = Omit<z.infer<typeof STORED>, 'folder'>;

export const NOT_COMPARED: Comparison = {
  devices: [],
  unreadable: 0,
  sealed: 0,
  plain: 0,
  refused: [],
  isKeyMissing: false,
  comparedAt: null,
  failure: null,
};

export function formatComparison(folder: string, comparison: Comparison): string {
  return JSON.stringify({ folder, ...comparison });
}

export function lastComparison({ devices, mirror }: Pick<Queries, 'devices' | 'mirror'>): Comparison {
  const stored = mirror.json(COMPARISON_PROPERTY, STORED);
  return stored !== null && stored.folder === devices.config()?.folder ? stored : NOT_COMPARED;
}

export function folderStatus({ devices: here }: Pick<Queries, 'devices'>, comparison: Comparison): SharedFolderStatus {
  const { folder = null, device, encrypted = false, settings = false } = here.config() ?? {};
  const { devices, unreadable, sealed, plain, refused, isKeyMissing, comparedAt, failure } = comparison;
  return {
    folder,
    devices: devices.map(({ id, name, seenAt }) => ({ id, name, isThis: id === device, seenAt: asText(seenAt) })),
    comparedAt: asText(comparedAt),
    ...here.counts(),
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
