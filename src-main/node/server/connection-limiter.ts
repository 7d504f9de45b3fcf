import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Connections that may be open without ever having sent a request that was let in. */
export const CONNECTION_LIMIT = 128;

/**
 * Keeps room for the reader's own page while others open connections without end. A plain limit would lock the reader out
 * too; here the oldest stranger has to leave, and the page is no stranger any more as soon as its first request is let in.
 */
export class ConnectionLimiter {
  readonly #sockets = new Set<Socket>();

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => this.#arrived(socket));
  }

  /** This connection sent a request that was let in. */
  known(socket: Socket): void {
    this.#sockets.delete(socket);
  }

  #arrived(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (this.#sockets.size <= CONNECTION_LIMIT) return;
    // A set keeps the order of arrival.
    const [oldest] = this.#sockets;
    oldest?.destroy();
  }
}
