import type { Gateway, KeyTrial } from '../contract/gateway.ts';
import type { NewsSource, Settings } from '../contract/model.ts';
import type { Ports } from '../contract/ports.ts';
import type { StoreReader } from '../store/reader.ts';
import type { Engine } from '../sync/engine.ts';

/** What a handler works with. Ask for `reader` and `engine` at each call: they change with the news service. */
export interface Session {
  readonly ports: Ports;
  readonly reader: StoreReader;
  readonly engine: Engine;
  readonly source: NewsSource;
  /** Where models come from, and what may be done with the key. */
  readonly gateway: {
    readonly gateway: Gateway;
    setKey(key: string): Promise<KeyTrial>;
    allowKey(): Promise<KeyTrial>;
    removeKey(): Promise<Gateway>;
  };
  /** Checks nothing; goes over to another service where the settings now name one, stores them, tells everyone. */
  changeSettings(patch: Partial<Settings>): Promise<Settings>;
}
