import { keepsSecrets } from '../contract/addresses.ts';
import { BroadsheetError } from '../contract/errors.ts';
import { DEMO_KEY, type Gateway, type GatewaySource, type KeyState, type KeyTrial } from '../contract/gateway.ts';
import { LISTINGS, type NewsSource, type Settings } from '../contract/model.ts';
import type { Credential, KeyStore, Ports } from '../contract/ports.ts';
import type { Emit, Engine } from '../sync/engine.ts';
import type { EngineGateway } from '../sync/gateway.ts';

/** Shorter keys are not told of at all: four characters of them would be too many. */
const SHORTEST_TOLD = 12;

/** What a gateway says of a key that is no good to it: such a key is not kept. */
const REFUSALS = new Set(['unauthorized', 'forbidden', 'invalid_request', 'key_not_sent']);

interface DoorPorts {
  ports: Pick<Ports, 'gateway' | 'keys'>;
  emit: Emit;
  /** The engine of the mirror that is open. Errors: `closed`. */
  engine(): Engine;
}

/**
 * The key's one door: what it may be told of goes to the page, the key itself to the engine alone, and only for the origin
 * that it was given for, over https or loopback (document 2 section 5).
 */
export class GatewayDoor {
  readonly #ports: DoorPorts;
  #source: GatewaySource | null = null;

  constructor(ports: DoorPorts) {
    this.#ports = ports;
  }

  /** The gateway beside a source of news, for the engine. From here on it is the configured one. */
  choose(settings: Settings, news: NewsSource): EngineGateway | null {
    this.#source = this.#ports.ports.gateway(settings, news);
    return this.#forEngine();
  }

  /** Goes over to the gateway that the settings now name. */
  async goTo(settings: Settings, news: NewsSource): Promise<void> {
    this.choose(settings, news);
    await this.#tell();
    this.#ports.emit('models.changed', { listings: [...LISTINGS] });
  }

  get gateway(): Gateway {
    return { source: this.#source, key: keyState(this.#source, this.#keys) };
  }

  /** Errors: `not_found` without a gateway; those of the key store. */
  async setKey(key: string): Promise<KeyTrial> {
    return this.#tryAndKeep({ key, origin: originOf(this.#configured) });
  }

  /** The kept key may go to the origin that is configured now. Errors: `not_found` without one. */
  async allowKey(): Promise<KeyTrial> {
    const kept = this.#keys.get();
    if (!kept) throw new BroadsheetError('not_found', 'There is no key. Enter one in Settings.');
    return this.#tryAndKeep({ key: kept.credential.key, origin: originOf(this.#configured) });
  }

  async removeKey(): Promise<Gateway> {
    this.#keys.forget();
    await this.#tell();
    return this.gateway;
  }

  /** Tells engine and page what holds from here on, and asks the gateway anew. */
  async #tell(): Promise<void> {
    const engine = this.#ports.engine();
    await engine.useGateway(this.#forEngine());
    this.#ports.emit('gateway.changed', this.gateway);
    // Not waited for: how it goes is told with its own events.
    engine.call('sync.run', { urgency: 'permitted', resources: ['models', 'embeddings'] }).catch(() => undefined);
  }

  async #tryAndKeep(credential: Credential): Promise<KeyTrial> {
    const source = this.#configured;
    const { failure } = await this.#ports.engine().tryGateway({ source, key: credential.key, keyEnding: null });
    const kept = failure === null || !REFUSALS.has(failure.code);
    if (kept) {
      this.#keys.keep(credential);
      await this.#tell();
    }
    return { gateway: this.gateway, kept, failure };
  }

  #forEngine(): EngineGateway | null {
    const source = this.#source;
    if (!source) return null;
    const { inUse, lastFour } = keyState(source, this.#keys);
    if (!inUse) return { source, key: null, keyEnding: null };
    const key = source.demo ? DEMO_KEY : (this.#keys.get()?.credential.key ?? null);
    return { source, key, keyEnding: lastFour };
  }

  get #configured(): GatewaySource {
    if (this.#source) return this.#source;
    throw new BroadsheetError('not_found', 'No model gateway is configured. Enter its address in Settings first.');
  }

  get #keys(): KeyStore {
    return this.#ports.ports.keys;
  }
}

/** What may be told of the key, and whether it goes with requests to `source`. */
function keyState(source: GatewaySource | null, keys: KeyStore): KeyState {
  const { keeping, keepingReason } = keys;
  if (source?.demo) {
    return { from: 'demo', lastFour: null, origin: null, inUse: true, unused: null, keeping, keepingReason };
  }
  const kept = keys.get();
  if (!kept) return { from: null, lastFour: null, origin: null, inUse: false, unused: null, keeping, keepingReason };
  const { credential, from } = kept;
  const unused = source && whyUnused(source, credential);
  return {
    from,
    lastFour: credential.key.length >= SHORTEST_TOLD ? credential.key.slice(-4) : null,
    origin: credential.origin,
    inUse: source !== null && unused === null,
    unused,
    keeping,
    keepingReason,
  };
}

function whyUnused(source: GatewaySource, credential: Credential): KeyState['unused'] {
  if (originOf(source) !== credential.origin) return 'otherOrigin';
  return keepsSecrets(source.address) ? null : 'insecure';
}

/** The origin that a key would be given for. */
export function originOf({ address }: GatewaySource): string {
  return new URL(address).origin;
}
