import type { ModelsClient } from '../../clients/models/client.ts';
import type { Failure } from '../../contract/errors.ts';
import type { GatewaySource } from '../../contract/model/gateway.ts';

/** A model gateway as passed to the engine. */
export interface EngineGateway {
  source: GatewaySource;
  /** Null without a key, or if the key may not be sent to this gateway. */
  key: string | null;
  /** Last characters of the key for display; null without a key, or if it is too short to show any. */
  keyEnding: string | null;
}

/** The gateway as used by the sync of a model list, with what is saved along with the response. */
export interface CurrentGateway {
  /** Name under which its model lists are saved. */
  owner: string;
  client: ModelsClient;
  keyEnding: string | null;
  /** Aborted as soon as another gateway or another key replaces it. */
  signal: AbortSignal;
}

/** Result of testing a key. */
export interface GatewayTrial {
  /** Null if it listed models. */
  failure: Failure | null;
}

/** Name of the built-in gateway in models.db. */
export const DEMO_GATEWAY = 'demo';
export const HARSH_DEMO_GATEWAY = 'demo-harsh';

/**
 * Name under which a gateway's model lists are saved. The demo has a fixed name, because its port differs at each
 * start.
 */
export function catalogueName({ demo, harsh = false, address }: GatewaySource): string {
  if (!demo) return address;
  return harsh ? HARSH_DEMO_GATEWAY : DEMO_GATEWAY;
}
