import type { NewsSource } from '../../contract/model/sync-status.ts';

/** Fixed, because the demo has the same content on another port after every start. */
export const DEMO_MIRROR = 'demo';
export const HARSH_DEMO_MIRROR = 'demo-harsh';

/** Another name means another mirror. */
export function mirrorName({ demo, harsh = false, address }: Pick<NewsSource, 'address' | 'demo' | 'harsh'>): string {
  if (!demo) return address;
  return harsh ? HARSH_DEMO_MIRROR : DEMO_MIRROR;
}
