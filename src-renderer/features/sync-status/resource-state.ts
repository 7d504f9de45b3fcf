import type { ResourceStatus } from '../../../src-main/contract/model/sync-status.ts';

/** The state of a resource, as its lamp shows it. `unused`: it is not synced, because no gateway is set. */
export function resourceState(
  { running, error, confirming, lastSuccessAt }: ResourceStatus,
  unused: boolean,
): 'asleep' | 'running' | 'failing' | 'confirming' | 'waiting' | 'well' {
  if (unused) return 'asleep';
  if (running) return 'running';
  if (error) return 'failing';
  if (confirming) return 'confirming';
  return lastSuccessAt === null ? 'waiting' : 'well';
}
