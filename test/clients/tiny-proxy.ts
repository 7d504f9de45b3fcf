import http from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A local proxy that connects every name to one service, and records its requests. */
export interface TinyProxy {
  address: `http://${string}`;
  host: string;
  /** The headers of CONNECT and other requests. */
  requests: { method: string; target: string; headers: http.IncomingHttpHeaders }[];
  /** The first bytes sent through each tunnel. */
  tunnelled: Buffer[];
  /** The status of the response to CONNECT; 0: no response. */
  status: number;
}

export async function startProxy(service: string): Promise<TinyProxy> {
  const sockets = new Set<Socket>();
  const server = http.createServer((request, response) => {
    note(request);
    response.writeHead(500).end();
  });
  const note = ({ method = '', url = '', headers }: http.IncomingMessage): void =>
    void proxy.requests.push({ method, target: url, headers });
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request, socket: Socket) => {
    note(request);
    socket.on('error', () => socket.destroy());
    if (proxy.status === 0) return;
    socket.write(`HTTP/1.1 ${proxy.status} Said by a test\r\n\r\n`);
    if (proxy.status !== 200) return void socket.end();
    socket.once('data', (bytes) => {
      proxy.tunnelled.push(bytes);
      const { hostname, port } = new URL(service);
      const there = net.connect(Number(port), hostname, () => there.write(bytes));
      sockets.add(there);
      there.on('error', () => socket.destroy());
      socket.pipe(there).pipe(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const host = `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const proxy: TinyProxy = { address: `http://${host}`, host, requests: [], tunnelled: [], status: 200 };
  return proxy;
}
