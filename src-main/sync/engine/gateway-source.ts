import type { ModelsClient } from '../../clients/models/client.ts';
import type { Failure } from '../../contract/errors.ts';
import type { GatewaySource } from '../../contract/model/gateway.ts';

/** A gateway as the engine asks it. */
export interface EngineGateway {
  source: GatewaySource;
  /** Null where there is none, or where it may not go there. */
  key: string | null;
  /** The end of it, as it may be told; null without a key, or for one too short to be told. */
  keyEnding: string | null;
}

/** The gateway as a run of a model list asks it, with what is stored beside its answer. */
export interface AskedGateway {
  /** Under which name the models keeps what it lists. */
  owner: string;
  client: ModelsClient;
  keyEnding: string | null;
  /** Ends its requests once another gateway, or another key, takes its place. */
  signal: AbortSignal;
}

/** What a gateway says to a key. */
export interface GatewayTrial {
  /** Null where it listed models. */
  failure: Failure | null;
}

/** The name of the built-in gateway in the models. */
export const DEMO_GATEWAY = 'demo';

/** Under which name the models keeps what a gateway lists. The demo's port differs at each start, what it says does not. */
export function catalogueName({ demo, address }: GatewaySource): string {
  return demo ? DEMO_GATEWAY : address;
}
