import type { Reply, Result } from '../../../../src-main/contract/api.ts';
import type { Gateway, GatewaySource, KeyState, KeyTrial } from '../../../../src-main/contract/model/gateway.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';

/** The gateway and what may be told of its key. The key itself only ever passes through. */
export class GatewayState {
  readonly #wire: Wire;
  #gateway = $state.raw<Gateway | null>(null);

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.load());
    wire.on('gateway.changed', (gateway) => (this.#gateway = gateway));
  }

  /** Null where no gateway is named, and while nothing is known. */
  get source(): GatewaySource | null {
    return this.#gateway?.source ?? null;
  }
  /** Null while nothing is known. */
  get key(): KeyState | null {
    return this.#gateway?.key ?? null;
  }
  /** The origin that a key would be sent to; null without a gateway. */
  get origin(): string | null {
    return this.source && new URL(this.source.address).origin;
  }

  async load(): Promise<void> {
    const reply = await this.#wire.call('gateway.get', {});
    if (reply.ok) this.#gateway = reply.value;
  }

  /** Lets the core try a key with the gateway, and keep it unless it is refused. */
  async setKey(key: string): Promise<Reply<KeyTrial>> {
    return this.#tried(await this.#wire.call('gateway.setKey', { key }));
  }

  /** The app's word that the kept key may go to the gateway of now. */
  async allowKey(): Promise<Reply<KeyTrial>> {
    return this.#tried(await this.#wire.call('gateway.allowKey', {}));
  }

  async removeKey(): Promise<Reply<Gateway>> {
    const reply = await this.#wire.call('gateway.removeKey', {});
    if (reply.ok) this.#gateway = reply.value;
    return reply;
  }

  /** How many embeddings models a gateway at an address lists without a key; null where it wants one. */
  test(address: string): Promise<Reply<Result<'gateway.test'>>> {
    return this.#wire.call('gateway.test', { address });
  }

  #tried(reply: Reply<KeyTrial>): Reply<KeyTrial> {
    if (reply.ok) this.#gateway = reply.value.gateway;
    return reply;
  }
}
