import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DemoGateway } from './model-catalogue/gateway.ts';
import { controlOf } from './control.ts';
import { fail, failureOf } from './harsh/failures.ts';
import { prepare } from './http/response.ts';
import { answerRequest } from './http/router.ts';
import type { DemoOptions, DemoService, LoggedRequest } from './options.ts';
import { routesOf } from './resources/routes.ts';
import { DemoState } from './state.ts';

export type {
  DemoContent,
  DemoControl,
  DemoOptions,
  DemoService,
  FixedContent,
  ItemPatch,
  LoggedRequest,
  ModelPatch,
  ServedItem,
} from './options.ts';

const REQUESTS_KEPT = 10_000;

/** Serves both APIs on 127.0.0.1 only. Several can run at once. Errors: Node's own if the port is taken. */
export async function startDemoService(options: DemoOptions): Promise<DemoService> {
  const state = new DemoState(options);
  const gateway = new DemoGateway(options);
  const routes = routesOf(state, gateway);
  const requests: LoggedRequest[] = [];
  // A client closes what is idle before this does, so that no request meets a connection that closes.
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const logged = logEntry(request);
    requests.push(logged);
    if (requests.length > REQUESTS_KEPT) requests.shift();
    response.once('close', () => {
      logged.status ||= response.statusCode;
      options.log?.(logged);
    });
    response.setHeader('date', new Date(options.clock.now()).toUTCString());
    if (options.intercept?.(request, response)) return;
    void answer(request, response, logged);
  });
  const answer = async (request: IncomingMessage, response: ServerResponse, logged: LoggedRequest) => {
    try {
      state.advance();
      const failure = failureOf(state, logged.path);
      if (failure !== null) {
        fail(failure, request, response);
        return;
      }
      const { status, headers, bytes } = await prepare(request, answerRequest(routes, request, options.clock.now()));
      // Set before the bytes leave, so whoever has the response finds it logged.
      logged.status = status;
      response.writeHead(status, headers).end(bytes);
    } catch (error) {
      response.destroy(error instanceof Error ? error : undefined);
    }
  };
  const address = `http://127.0.0.1:${await listen(server, options.port ?? 0)}`;
  return {
    newsAddress: address,
    modelsAddress: address,
    requests,
    control: controlOf(state, gateway),
    close: () => stop(server),
  };
}

function logEntry(request: IncomingMessage): LoggedRequest {
  const url = request.url ?? '';
  const mark = url.includes('?') ? url.indexOf('?') : url.length;
  const { 'if-none-match': ifNoneMatch, 'user-agent': userAgent, accept, authorization } = request.headers;
  const acceptEncoding = request.headers['accept-encoding']?.toString();
  return {
    method: request.method ?? '',
    path: url.slice(0, mark),
    query: url.slice(mark),
    status: 0,
    headers: {
      ...(ifNoneMatch !== undefined && { ifNoneMatch }),
      ...(acceptEncoding !== undefined && { acceptEncoding }),
      ...(userAgent !== undefined && { userAgent }),
      ...(accept !== undefined && { accept }),
      hasAuthorization: authorization !== undefined,
    },
  };
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
