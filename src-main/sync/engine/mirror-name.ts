import type { NewsSource } from '../../contract/model/sync-status.ts';

/**
 * Name of the demo service's mirror. It is fixed, because the demo has the same content on another port after every
 * start.
 */
export const DEMO_MIRROR = 'demo';

/** Name of the mirror of a news service. Another name means another mirror. */
export function mirrorName({ demo, address }: NewsSource): string {
  return demo ? DEMO_MIRROR : address;
}
