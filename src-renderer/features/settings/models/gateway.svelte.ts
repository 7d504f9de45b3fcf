import type { Reply, Result } from '../../../../src-main/contract/methods.ts';
import type { Wire } from '../../../../src-main/contract/wire.ts';
import type { Gateway, GatewaySource, KeyState, KeyTrial } from '../../../../src-main/contract/model/model.ts';

/** The gateway and the public facts about its key. The key itself is never stored here. */
export class GatewayState {
  readonly #wire: Wire;
  #gateway = $state.raw<Gateway | null>(null);

  constructor(wire: Wire) {
    this.#wire = wire;
    wire.on('data.replaced', () => void this.load());
    wire.on('gateway.changed', (gateway) => (this.#gateway = gateway));
  }

  /** Null without a gateway, and until it is loaded. */
  get source(): GatewaySource | null {
    return this.#gateway?.source ?? null;
  }
  /** Null until it is loaded. */
  get key(): KeyState | null {
    return this.#gateway?.key ?? null;
  }
  /** The origin that a key is sent to; null without a gateway. */
  get origin(): string | null {
    return this.source && new URL(this.source.address).origin;
  }

  async load(): Promise<void> {
    const reply = await this.#wire.call('gateway.get', {});
    if (reply.ok) this.#gateway = reply.value;
  }

  /** Lets the core try a key with the gateway, and save it unless it is refused. */
  async setKey(key: string): Promise<Reply<KeyTrial>> {
    return this.#receive(await this.#wire.call('gateway.setKey', { key }));
  }

  /** Allows the saved key to be sent to the current gateway. */
  async allowKey(): Promise<Reply<KeyTrial>> {
    return this.#receive(await this.#wire.call('gateway.allowKey', {}));
  }

  async removeKey(): Promise<Reply<Gateway>> {
    const reply = await this.#wire.call('gateway.removeKey', {});
    if (reply.ok) this.#gateway = reply.value;
    return reply;
  }

  /** Resolves to the number of embedding models that a gateway lists without a key; null if it requires one. */
  test(address: string): Promise<Reply<Result<'gateway.test'>>> {
    return this.#wire.call('gateway.test', { address });
  }

  #receive(reply: Reply<KeyTrial>): Reply<KeyTrial> {
    if (reply.ok) this.#gateway = reply.value.gateway;
    return reply;
  }
}
