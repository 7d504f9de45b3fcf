import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Maximum number of open connections without an accepted request. */
export const CONNECTION_LIMIT = 128;

/** Closes the oldest connection without an accepted request: a plain limit would let other programs block the page. */
export class ConnectionLimiter {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#add(socket));
  }

  authenticated(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  #add(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#sockets.size <= CONNECTION_LIMIT) return;
    // Sets keep insertion order.
    const [oldest] = this.#sockets;
    oldest?.destroy();
  }
}
