import { createHttpClient } from '../../clients/http/client.ts';
import { createNewsClient, type NewsClient } from '../../clients/news/client.ts';
import { isModelList, type ResourceName } from '../../contract/model/resource.ts';
import { newsGateName, ServiceGates } from '../schedule/service-gates.ts';
import { ServiceTimes } from '../schedule/service-time.ts';
import { GatewayConnection } from './gateway-connection.ts';
import type { EngineBase } from './types.ts';

export type Network = ReturnType<typeof openNetwork>;

/** Both services share one HTTP client. */
export function openNetwork({ setup, store, clock, log }: EngineBase) {
  const { source, gateway: configured, version, settings, timeouts } = setup;
  const times = new ServiceTimes(clock);
  const http = createHttpClient({
    appVersion: version,
    clock,
    log,
    proxy: settings.proxy,
    onDate: (address, date) => times.at(address).note(date),
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
    serviceTime: times.at(source.address),
    gatewayTime: () => times.at(gateway.source?.address ?? ''),
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
