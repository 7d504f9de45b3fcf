import type { ServerResponse } from 'node:http';
import { EVENT_NAMES } from '../../contract/events.ts';
import type { Clock } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import { answerText, HEADERS } from './responses.ts';

/** Browsers open at most 6 connections per host, so this is more than a user's tabs need. */
export const STREAM_LIMIT = 64;
/** Bytes buffered for one client. A slower client is disconnected; it reconnects and reloads everything. */
export const BACKLOG_LIMIT = 1024 * 1024;
/** Interval in ms of comments that detect dead connections. */
export const HEARTBEAT = 20_000;

export class EventStreams {
  readonly #streams = new Set<ServerResponse>();
  readonly #stopListening: (() => void)[];
  readonly #clock: Clock;
  #stopHeartbeat: () => void;

  constructor(wire: Wire, clock: Clock) {
    this.#clock = clock;
    this.#stopListening = EVENT_NAMES.map((name) =>
      wire.on(name, (payload) => this.#send(`event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`)),
    );
    this.#stopHeartbeat = this.#scheduleHeartbeat();
  }

  get size(): number {
    return this.#streams.size;
  }

  open(response: ServerResponse): void {
    if (this.#streams.size >= STREAM_LIMIT) {
      answerText(response, 503, 'Too many event streams are open.');
      return;
    }
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8' });
    response.write('retry: 2000\n\n');
    this.#streams.add(response);
    response.once('close', () => this.#streams.delete(response));
  }

  close(): void {
    this.#stopHeartbeat();
    for (const stop of this.#stopListening) stop();
    for (const stream of this.#streams) stream.end();
    this.#streams.clear();
  }

  #send(text: string): void {
    const bytes = Buffer.from(text);
    for (const stream of this.#streams) {
      if (stream.writableLength + bytes.length > BACKLOG_LIMIT) this.#drop(stream);
      else stream.write(bytes);
    }
  }

  #drop(stream: ServerResponse): void {
    this.#streams.delete(stream);
    stream.destroy();
  }

  #scheduleHeartbeat(): () => void {
    return this.#clock.after(HEARTBEAT, () => {
      this.#send(': still here\n\n');
      this.#stopHeartbeat = this.#scheduleHeartbeat();
    });
  }
}
