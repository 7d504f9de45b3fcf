import { keepsSecrets } from '../../contract/addresses.ts';
import { BroadsheetError, toFailure, type Failure } from '../../contract/errors.ts';
import {
  DEMO_KEY,
  type Gateway,
  type GatewaySource,
  type KeyState,
  type KeyTrial,
} from '../../contract/model/gateway.ts';
import { MODEL_LISTS } from '../../contract/model/resource.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Credential, KeyStore, Ports } from '../../contract/ports.ts';
import type { Emit } from '../../contract/events.ts';
import type { Engine } from '../../sync/engine/types.ts';
import type { EngineGateway } from '../../sync/engine/gateway-source.ts';

/** Shorter keys are not told of at all: four characters of them would be too many. */
const SHORTEST_TOLD = 12;

/** What a gateway says of a key that is no good to it: such a key is not kept. */
const REFUSALS = new Set(['unauthorized', 'forbidden', 'invalid_request', 'key_not_sent']);

interface CredentialPorts {
  ports: Pick<Ports, 'gateway' | 'keys'>;
  emit: Emit;
  /** The engine of the mirror that is open. Errors: `closed`. */
  engine(): Engine;
  /** After what changes engine, gateway or key now, and before what changes them next. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/**
 * The key's one door: what it may be told of goes to the page, the key itself to the engine alone, and only for the origin
 * that it was given for, over https or loopback (document 2 section 5).
 */
export class GatewayCredentials {
  readonly #ports: CredentialPorts;
  #source: GatewaySource | null = null;
  /** The keychain may ask its user before it gives the key: until then nothing is asked of the gateway. */
  #waits: boolean;
  /** Counts what was said of gateway and key: a trial that took longer than the next word is not the latest wish. */
  #word = 0;

  constructor(ports: CredentialPorts) {
    this.#ports = ports;
    const { ready } = this.#keys;
    this.#waits = ready !== undefined;
    void ready?.then(() => ports.inTurn(() => this.#keyIsRead())).catch(() => undefined);
  }

  /** The gateway beside a source of news, for the engine. From here on it is the configured one. */
  choose(settings: Settings, news: NewsSource): EngineGateway | null {
    this.#word += 1;
    this.#source = this.#ports.ports.gateway(settings, news);
    return this.#forEngine();
  }

  /** Goes over to the gateway that the settings now name. In a turn of its caller. */
  async goTo(settings: Settings, news: NewsSource): Promise<void> {
    this.choose(settings, news);
    await this.#tellAndAsk(this.#ports.engine());
    this.#ports.emit('models.changed', { modelLists: [...MODEL_LISTS] });
    // The history holds what is of the configured services alone.
    this.#ports.emit('notifications.changed', {});
  }

  get gateway(): Gateway {
    return { source: this.#source, key: keyState(this.#source, this.#keys) };
  }

  /** Errors: `not_found` without a gateway, `aborted` where another word came first; those of the key store. */
  async setKey(key: string): Promise<KeyTrial> {
    return this.#tryAndKeep(key);
  }

  /** The kept key may go to the origin that is configured now. Errors: as those of {@link setKey}. */
  async allowKey(): Promise<KeyTrial> {
    const kept = this.#keys.get();
    if (!kept) throw new BroadsheetError('not_found', 'There is no key. Enter one in Settings.');
    return this.#tryAndKeep(kept.credential.key);
  }

  /** Errors: those of the key store; the key is still there then. */
  removeKey(): Promise<Gateway> {
    this.#word += 1;
    return this.#ports.inTurn(async () => {
      this.#keys.forget();
      this.#waits = false;
      await this.#tellAndAsk(this.#ports.engine());
      return this.gateway;
    });
  }

  /** As {@link #tell}, and asks the gateway anew: the reader is waiting for it. */
  async #tellAndAsk(engine: Engine): Promise<void> {
    await this.#tell(engine);
    // Not waited for: how it goes is told with its own events.
    engine.call('sync.run', { urgency: 'permitted', resources: [...MODEL_LISTS] }).catch(() => undefined);
  }

  /** Tells engine and page what holds from here on. */
  async #tell(engine: Engine): Promise<void> {
    await engine.useGateway(this.#forEngine());
    this.#ports.emit('gateway.changed', this.gateway);
  }

  /** Nobody has asked for anything: polling goes on with the key, if the reader lets it. */
  async #keyIsRead(): Promise<void> {
    this.#waits = false;
    await this.#tell(this.#ports.engine());
  }

  /** The trial holds up nobody's turn: it takes as long as the gateway does. */
  async #tryAndKeep(key: string): Promise<KeyTrial> {
    const source = this.#configured;
    // The built-in gateway's port is another one at each start: a key bound to it would be lost, and the reader's own with it.
    if (source.demo) throw new BroadsheetError('not_supported', 'The built-in models need no key.');
    this.#word += 1;
    const word = this.#word;
    const failure = await this.#try(source, key);
    if (failure && REFUSALS.has(failure.code)) return { gateway: this.gateway, kept: false, failure };
    return this.#ports.inTurn(async () => {
      if (word !== this.#word) throw overtaken();
      const engine = this.#ports.engine();
      await this.#keys.keep({ key, origin: originOf(source) });
      this.#waits = false;
      await this.#tellAndAsk(engine);
      return { gateway: this.gateway, kept: true, failure };
    });
  }

  async #try(source: GatewaySource, key: string): Promise<Failure | null> {
    if (!keepsSecrets(source.address)) return toFailure(notSent());
    const { failure } = await this.#ports.engine().tryGateway({ source, key, keyEnding: null });
    return failure;
  }

  #forEngine(): EngineGateway | null {
    const source = this.#source;
    if (!source) return null;
    if (source.demo) return { source, key: DEMO_KEY, keyEnding: null };
    if (this.#waits) return null;
    const { inUse, lastFour } = keyState(source, this.#keys);
    const key = inUse ? (this.#keys.get()?.credential.key ?? null) : null;
    return { source, key, keyEnding: key && lastFour };
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

function overtaken(): BroadsheetError {
  const words = 'Key or gateway were changed while this key was tried, so it was not kept. Enter it again.';
  return new BroadsheetError('aborted', words, { retryable: true });
}

function notSent(): BroadsheetError {
  const words = 'A key is sent over https only, or to this machine itself. Use the https address of the gateway.';
  return new BroadsheetError('key_not_sent', words);
}

/** The origin that a key would be given for. */
function originOf({ address }: GatewaySource): string {
  return new URL(address).origin;
}
