import type { HttpClient } from '../../clients/http/client.ts';
import { createModelsClient, type ModelsClient } from '../../clients/models/client.ts';
import { BroadsheetError, toFailure } from '../../contract/errors.ts';
import type { GatewaySource } from '../../contract/model/gateway.ts';
import { MODEL_LISTS, type ModelListName } from '../../contract/model/resource.ts';
import type { Store } from '../../store/index.ts';
import { gatewayGateName, type ServiceGates } from '../schedule/service-gates.ts';
import { catalogueName, type CurrentGateway, type EngineGateway, type GatewayTrial } from './gateway-source.ts';

/** Sync state of a model list, as far as a change of gateway affects it. */
interface ModelListRunner {
  /** The gateway rejected the key. */
  readonly isRefused: boolean;
  settled(): Promise<void>;
  forget(): void;
  markDue(): void;
  fetchOnDemand<T>(send: () => Promise<T>, stillWanted?: () => boolean): Promise<T>;
}

interface ConnectionPorts {
  http: HttpClient;
  store: Store;
  gates: ServiceGates;
  /** A function, because the runners in change need this object. */
  runner(modelList: ModelListName): ModelListRunner;
  /** Called when another gateway or another key is in use. */
  onChange(): void;
}

/** The gateway that model lists are fetched from, and its key (document 2). */
export class GatewayConnection {
  readonly #ports: ConnectionPorts;
  #gateway: EngineGateway | null;
  #current: CurrentGateway | null = null;
  #leaving = new AbortController();
  /** Changes run one after another. */
  #queue: Promise<unknown> = Promise.resolve();

  /** @param gateway the one that the store was opened for */
  constructor(gateway: EngineGateway | null, ports: ConnectionPorts) {
    this.#ports = ports;
    this.#gateway = gateway;
    this.#begin();
  }

  get source(): GatewaySource | null {
    return this.#gateway?.source ?? null;
  }

  /** Name under which its model lists are saved; null without a gateway. */
  get owner(): string | null {
    const { source } = this;
    return source && catalogueName(source);
  }

  /** Until when the gateway's Retry-After applies, in ms since 1970; in the past if none does. */
  get pausedUntil(): number {
    const { source } = this;
    return source ? this.#ports.gates.pausedUntil(gatewayGateName(source)) : 0;
  }

  /** Null without a gateway, and during a change to another one. */
  get current(): CurrentGateway | null {
    return this.#current;
  }

  /**
   * Switches to another gateway or another key. Requests to the previous one are cancelled and have ended before the
   * first request to the new one. Errors: the store's.
   */
  use(gateway: EngineGateway | null): Promise<void> {
    const change = this.#queue.then(() => this.#goTo(gateway));
    this.#queue = change.catch(() => undefined);
    return change;
  }

  /** Sends one request with the key, outside any sync. A failure is returned, not thrown. */
  async try({ source, key }: EngineGateway): Promise<GatewayTrial> {
    const client = this.#client(source, key);
    const send = (): Promise<unknown> => client.page('models', { limit: 1 });
    const isConfigured = (): boolean => this.#gateway?.source.address === source.address;
    try {
      // A Retry-After of the gateway applies here, too.
      await (isConfigured() ? this.#ports.runner('models').fetchOnDemand(send, isConfigured) : send());
      return { failure: null };
    } catch (error) {
      return { failure: toFailure(error) };
    }
  }

  /** Number of embedding models that a gateway lists without a key; null if it requires one. Errors: the client's. */
  async test(address: string): Promise<number | null> {
    try {
      const answer = await this.#client({ address, demo: false, from: 'option' }, null).page('embeddings', {
        limit: 1,
      });
      return answer.kind === 'fresh' ? (answer.value.totalCount ?? answer.value.records.length) : null;
    } catch (error) {
      if (error instanceof BroadsheetError && error.code === 'unauthorized') return null;
      throw error;
    }
  }

  async #goTo(gateway: EngineGateway | null): Promise<void> {
    const before = this.#gateway;
    this.#gateway = gateway;
    const isSame = before?.source.address === gateway?.source.address && before?.key === gateway?.key;
    // After a failed switch there is no current gateway: trying again may help.
    if (isSame && (gateway === null || this.#current !== null)) return;
    this.#current = null;
    this.#leaving.abort();
    await Promise.all(MODEL_LISTS.map((modelList) => this.#ports.runner(modelList).settled()));
    if (gateway) this.#name(gateway, before !== null);
    this.#begin();
    this.#ports.onChange();
  }

  /** @param wasUsed whether the gateway of that name may have been used before, with another key */
  #name({ source }: EngineGateway, wasUsed: boolean): void {
    const { store } = this.#ports;
    const owner = catalogueName(source);
    const named = store.queries.mirror.get('gateway');
    store.transaction(({ schedule }) => {
      schedule.nameGateway(owner);
    });
    for (const modelList of MODEL_LISTS) {
      const runner = this.#ports.runner(modelList);
      if (named !== null && named !== owner) runner.forget();
      // The key determines the user's models; the embedding models are the same for every key.
      else if (wasUsed && (modelList === 'models' || runner.isRefused)) runner.markDue();
    }
  }

  #begin(): void {
    this.#leaving = new AbortController();
    const gateway = this.#gateway;
    this.#current = gateway && {
      owner: catalogueName(gateway.source),
      client: this.#client(gateway.source, gateway.key),
      keyEnding: gateway.keyEnding,
      signal: this.#leaving.signal,
    };
  }

  #client(source: GatewaySource, key: string | null): ModelsClient {
    const { http, gates } = this.#ports;
    const gate = gates.of(gatewayGateName(source));
    return createModelsClient({ http, baseAddress: source.address, bearer: key, gate });
  }
}
