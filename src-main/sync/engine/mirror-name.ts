import type { NewsSource } from '../../contract/model/sync-status.ts';

/** The name of the demo service's mirror: what it says is the same after every start, though its port is not. */
export const DEMO_MIRROR = 'demo';

/** Which service a mirror is of. Another name means another mirror. */
export function mirrorName({ demo, address }: NewsSource): string {
  return demo ? DEMO_MIRROR : address;
}
