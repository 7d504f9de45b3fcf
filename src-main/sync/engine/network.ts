import pLimit from 'p-limit';
import { createHttpClient, type HttpClient } from '../../clients/http/client.ts';
import { createModelsClient, type ModelsClient } from '../../clients/models/client.ts';
import { createNewsClient, type NewsClient } from '../../clients/news/client.ts';
import { toFailure } from '../../contract/errors.ts';
import type { GatewaySource } from '../../contract/model/model.ts';
import { isModelList, MODEL_LISTS, type ModelListName, type ResourceName } from '../../contract/model/resource.ts';
import type { Store } from '../../store/index.ts';
import { hasCode } from '../jobs/record-failures.ts';
import type { ResourceRunner } from '../jobs/resource-runner.ts';
import { gatewayGateName, newsGateName, ServiceGates } from '../schedule/service-gates.ts';
import { ServiceTime } from '../schedule/service-time.ts';
import { serviceName, type CurrentGateway, type EngineGateway, type GatewayTrial } from './services.ts';
import type { EngineBase } from './types.ts';

export type Network = ReturnType<typeof openNetwork>;

export function openNetwork({ setup, store, clock, log }: EngineBase) {
  const { source, gateway: configured, version, settings, timeouts } = setup;
  const times = new Map<string, ServiceTime>();
  const timeAt = (address: string): ServiceTime => {
    const time = times.get(address) ?? new ServiceTime(clock);
    times.set(address, time);
    return time;
  };
  const http = createHttpClient({
    appVersion: version,
    clock,
    log,
    proxy: settings.proxy,
    onDate: (address, date) => timeAt(address).record(date),
    ...(timeouts && { timeouts }),
  });
  const gates = new ServiceGates({ store, clock, log });
  const newsGate = newsGateName(source);
  const news = createNewsClient({ http, baseAddress: source.address, gate: gates.of(newsGate) });
  const gateway = new GatewayConnection(configured, { http, gates });
  return {
    http,
    news,
    gateway,
    serviceTime: timeAt(source.address),
    gatewayTime: () => timeAt(gateway.source?.address ?? ''),
    /** In ms since 1970; in the past if no Retry-After applies. */
    pausedUntil: (name: ResourceName): number =>
      isModelList(name) ? gateway.pausedUntil : gates.pausedUntil(newsGate),
    newsAt: (address: string): NewsClient =>
      address === source.address
        ? news
        : createNewsClient({
            http,
            baseAddress: address,
            gate: gates.of(newsGateName({ address, demo: false })),
          }),
  };
}

/** {@link createGatewaySwitch} changes the gateway and its key (document 2). */
export class GatewayConnection {
  readonly #ports: { http: HttpClient; gates: ServiceGates };
  #gateway: EngineGateway | null;
  #current: CurrentGateway | null = null;
  #leaving = new AbortController();

  constructor(gateway: EngineGateway | null, ports: { http: HttpClient; gates: ServiceGates }) {
    this.#ports = ports;
    this.#gateway = gateway;
    this.connect();
  }

  /** Already the new one during a change. */
  get configured(): EngineGateway | null {
    return this.#gateway;
  }

  get source(): GatewaySource | null {
    return this.#gateway?.source ?? null;
  }

  get owner(): string | null {
    const { source } = this;
    return source && serviceName(source);
  }

  get pausedUntil(): number {
    const { source } = this;
    return source ? this.#ports.gates.pausedUntil(gatewayGateName(source)) : 0;
  }

  /** Null without a gateway, and during a change to another one. */
  get current(): CurrentGateway | null {
    return this.#current;
  }

  /** Cancels the requests to the current gateway; {@link connect} starts using the next one. */
  leaveFor(gateway: EngineGateway | null): void {
    this.#gateway = gateway;
    this.#current = null;
    this.#leaving.abort();
  }

  connect(): void {
    this.#leaving = new AbortController();
    const gateway = this.#gateway;
    this.#current = gateway && {
      owner: serviceName(gateway.source),
      client: this.client(gateway.source, gateway.key),
      keyEnding: gateway.keyEnding,
      signal: this.#leaving.signal,
    };
  }

  async test(address: string): Promise<number | null> {
    try {
      const client = this.client({ address, demo: false, from: 'option' }, null);
      const answer = await client.page('embeddings', { limit: 1 });
      return answer.kind === 'fresh' ? (answer.value.totalCount ?? answer.value.records.length) : null;
    } catch (error) {
      if (hasCode(error, 'unauthorized')) return null;
      throw error;
    }
  }

  client(source: GatewaySource, key: string | null): ModelsClient {
    const { http, gates } = this.#ports;
    const gate = gates.of(gatewayGateName(source));
    return createModelsClient({ http, baseAddress: source.address, bearer: key, gate });
  }
}

interface SwitchPorts {
  gateway: GatewayConnection;
  store: Store;
  runners: Record<ModelListName, ResourceRunner>;
  onChange(): void;
}

export function createGatewaySwitch(ports: SwitchPorts) {
  const { gateway, runners, onChange } = ports;
  const queue = pLimit(1);

  async function change(to: EngineGateway | null): Promise<void> {
    const before = gateway.configured;
    const isSame = before?.source.address === to?.source.address && before?.key === to?.key;
    // After a failed switch there is no current gateway: trying again may help.
    if (isSame && (to === null || gateway.current !== null)) return;
    gateway.leaveFor(to);
    await Promise.all(MODEL_LISTS.map((modelList) => runners[modelList].whenSettled()));
    if (to) setOwner(to, before !== null, ports);
    gateway.connect();
    onChange();
  }

  return {
    /** Requests to the previous gateway end before the first one to the new. Errors: the store's. */
    use: (to: EngineGateway | null): Promise<void> => queue(() => change(to)),

    try: async ({ source, key }: EngineGateway): Promise<GatewayTrial> => {
      const client = gateway.client(source, key);
      try {
        await client.page('models', { limit: 1 });
        return { failure: null };
      } catch (error) {
        return { failure: toFailure(error) };
      }
    },
  };
}

function setOwner({ source }: EngineGateway, wasUsed: boolean, { store, runners }: SwitchPorts): void {
  const owner = serviceName(source);
  const named = store.queries.mirror.get('gateway');
  store.transaction(({ schedule }) => {
    schedule.nameGateway(owner);
  });
  for (const modelList of MODEL_LISTS) {
    const runner = runners[modelList];
    if (named !== null && named !== owner) runner.forget();
    // The key determines the user's models; the embedding models are the same for every key.
    else if (wasUsed && (modelList === 'models' || runner.isRefused)) runner.markDue();
  }
}
