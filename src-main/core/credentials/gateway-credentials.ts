import { canCarrySecrets } from '../../contract/addresses.ts';
import { BroadsheetError, toFailure, type Failure } from '../../contract/errors.ts';
import {
  DEMO_KEY,
  MIN_LENGTH_TO_SHOW,
  type Gateway,
  type GatewaySource,
  type KeyState,
  type KeyTrial,
} from '../../contract/model/model.ts';
import { MODEL_LISTS } from '../../contract/model/resource.ts';
import type { NewsSource } from '../../contract/model/sync-status.ts';
import type { Settings } from '../../contract/settings.ts';
import type { Credential, KeyStore, Ports } from '../../contract/ports.ts';
import type { Emit } from '../../contract/events.ts';
import { serviceName, type EngineGateway } from '../../sync/engine/services.ts';
import type { Engine } from '../types.ts';

/** A key that the gateway rejects isn't saved. */
const REFUSALS = new Set(['unauthorized', 'forbidden', 'invalid_request', 'key_not_sent']);

interface CredentialPorts {
  ports: Pick<Ports, 'gateway' | 'keys'>;
  emit: Emit;
  engine(): Engine;
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

/** Sends the key to the engine only, for the origin it was entered for (document 2 section 5). */
export class GatewayCredentials {
  readonly #ports: CredentialPorts;
  #source: GatewaySource | null = null;
  /** No request goes to the gateway until the keychain, which may prompt the user, has released the key. */
  #waits: boolean;
  /** Counts changes of gateway and key: a test that ends after a later change doesn't save its key. */
  #word = 0;

  constructor(ports: CredentialPorts) {
    this.#ports = ports;
    const { ready } = this.#keys;
    this.#waits = ready !== undefined;
    void ready?.then(() => ports.inTurn(() => this.#keyIsRead())).catch(() => undefined);
  }

  choose(settings: Settings, news: NewsSource): EngineGateway | null {
    this.#word += 1;
    this.#source = this.#ports.ports.gateway(settings, news);
    return this.#forEngine();
  }

  async goTo(settings: Settings, news: NewsSource): Promise<void> {
    this.choose(settings, news);
    await this.#tellAndAsk(this.#ports.engine());
    this.#ports.emit('models.changed', { modelLists: [...MODEL_LISTS] });
    this.#ports.emit('notifications.changed', {});
  }

  get gateway(): Gateway {
    return { source: this.#source, key: keyState(this.#source, this.#keys) };
  }

  get owner(): string {
    return this.#source ? serviceName(this.#source) : '';
  }

  async allowKey(): Promise<KeyTrial> {
    const saved = this.#keys.get();
    if (!saved) throw new BroadsheetError('not_found', 'There is no key. Enter one in Settings.');
    return this.setKey(saved.credential.key);
  }

  removeKey(): Promise<Gateway> {
    this.#word += 1;
    return this.#ports.inTurn(async () => {
      this.#keys.forget();
      this.#waits = false;
      await this.#tellAndAsk(this.#ports.engine());
      return this.gateway;
    });
  }

  async #tellAndAsk(engine: Engine): Promise<void> {
    await this.#publish(engine);
    engine.call('sync.run', { urgency: 'permitted', resources: [...MODEL_LISTS] }).catch(() => undefined);
  }

  async #publish(engine: Engine): Promise<void> {
    await engine.call('useGateway', this.#forEngine());
    this.#ports.emit('gateway.changed', this.gateway);
  }

  /** The user didn't ask for it, so polling decides when to sync. */
  async #keyIsRead(): Promise<void> {
    this.#waits = false;
    await this.#publish(this.#ports.engine());
  }

  /** Tests outside the queue, because that can take as long as the gateway's timeout. */
  async setKey(key: string): Promise<KeyTrial> {
    const source = this.#configured;
    // The port changes with each start: a key saved for it would be lost, and replace the user's own.
    if (source.demo) throw new BroadsheetError('not_supported', 'The built-in models need no key.');
    this.#word += 1;
    const word = this.#word;
    const failure = await this.#try(source, key);
    if (failure && REFUSALS.has(failure.code)) return { gateway: this.gateway, kept: false, failure };
    return this.#ports.inTurn(async () => {
      if (word !== this.#word) throw overtaken();
      const engine = this.#ports.engine();
      await this.#keys.save({ key, origin: originOf(source) });
      this.#waits = false;
      await this.#tellAndAsk(engine);
      return { gateway: this.gateway, kept: true, failure };
    });
  }

  async #try(source: GatewaySource, key: string): Promise<Failure | null> {
    if (!canCarrySecrets(source.address)) return toFailure(notSent());
    const { failure } = await this.#ports.engine().call('tryGateway', { source, key, keyEnding: null });
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

function keyState(source: GatewaySource | null, keys: KeyStore): KeyState {
  const { keeping, keepingReason } = keys;
  if (source?.demo) {
    return { from: 'demo', lastFour: null, origin: null, inUse: true, unused: null, keeping, keepingReason };
  }
  const saved = keys.get();
  if (!saved) return { from: null, lastFour: null, origin: null, inUse: false, unused: null, keeping, keepingReason };
  const { credential, from } = saved;
  const unused = source && whyUnused(source, credential);
  return {
    from,
    lastFour: credential.key.length >= MIN_LENGTH_TO_SHOW ? credential.key.slice(-4) : null,
    origin: credential.origin,
    inUse: source !== null && unused === null,
    unused,
    keeping,
    keepingReason,
  };
}

function whyUnused(source: GatewaySource, credential: Credential): KeyState['unused'] {
  if (originOf(source) !== credential.origin) return 'otherOrigin';
  return canCarrySecrets(source.address) ? null : 'insecure';
}

function overtaken(): BroadsheetError {
  const words = 'The key or the gateway changed during the test, so this key was not saved. Enter it again.';
  return new BroadsheetError('aborted', words, { retryable: true });
}

function notSent(): BroadsheetError {
  const words = 'Keys are only sent over https or to this computer. Use the https address of the gateway.';
  return new BroadsheetError('key_not_sent', words);
}

function originOf({ address }: GatewaySource): string {
  return new URL(address).origin;
}
