import type { ModelsClient } from '../../clients/models/client.ts';
import type { Failure } from '../../contract/errors.ts';
import type { GatewaySource } from '../../contract/model/model.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';

/** Fixed, because the demo has the same content on another port after every start. */
export const DEMO_MIRROR = 'demo';
export const HARSH_DEMO_MIRROR = 'demo-harsh';

/** Another name means another mirror. */
export function mirrorName({ demo, harsh = false, address }: Pick<NewsSource, 'address' | 'demo' | 'harsh'>): string {
  if (!demo) return address;
  return harsh ? HARSH_DEMO_MIRROR : DEMO_MIRROR;
}

export interface EngineGateway {
  source: GatewaySource;
  /** Null also if the key may not be sent to this gateway. */
  key: string | null;
  /** For display; null without a key, or if it is too short to show any. */
  keyEnding: string | null;
}

export interface CurrentGateway {
  owner: string;
  client: ModelsClient;
  keyEnding: string | null;
  /** Aborted as soon as another gateway or another key replaces it. */
  signal: AbortSignal;
}

export interface GatewayTrial {
  /** Null if it listed models. */
  failure: Failure | null;
}

export const DEMO_GATEWAY = 'demo';
export const HARSH_DEMO_GATEWAY = 'demo-harsh';

/** Names the gateway's saved lists. The demo's name is fixed, because its port differs at each start. */
export function catalogueName({ demo, harsh = false, address }: GatewaySource): string {
  if (!demo) return address;
  return harsh ? HARSH_DEMO_GATEWAY : DEMO_GATEWAY;
}
