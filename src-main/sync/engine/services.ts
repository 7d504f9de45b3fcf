import type { ModelsClient } from '../../clients/models/client.ts';
import type { Failure } from '../../contract/errors.ts';
import type { GatewaySource } from '../../contract/model/model.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';

export const DEMO = 'demo';
export const HARSH_DEMO = 'demo-harsh';

/** Names a service's saved data. The demo's names are fixed, because its port differs at each start. */
export function serviceName({ demo, harsh = false, address }: Pick<NewsSource, 'address' | 'demo' | 'harsh'>): string {
  if (!demo) return address;
  return harsh ? HARSH_DEMO : DEMO;
}

export interface EngineGateway {
  source: GatewaySource;
  /** Null also if the key may not be sent to this gateway. */
  key: string | null;
  /** Null also if the key is too short to show any. */
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
  failure: Failure | null;
}
