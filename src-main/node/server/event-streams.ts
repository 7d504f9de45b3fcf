import type { ServerResponse } from 'node:http';
import { EVENT_NAMES } from '../../contract/events.ts';
import type { Clock } from '../../contract/ports.ts';
import type { Wire } from '../../contract/wire.ts';
import { answerText, HEADERS } from './responses.ts';

/** Browsers keep to 6 connections a host; more streams than this are not a reader's tabs. */
export const STREAM_LIMIT = 64;
/** Bytes waiting for one reader. Who is further behind is let go: it reconnects and asks for the whole state. */
export const BACKLOG_LIMIT = 1024 * 1024;
/** Milliseconds between comments that show a dead connection for what it is. */
export const HEARTBEAT = 20_000;

/** The core's events as server-sent events: each is written out once and goes to every open stream. */
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
    this.#stopHeartbeat = this.#beatLater();
  }

  get size(): number {
    return this.#streams.size;
  }

  /** Turns a response into a stream that lives until either side ends it. 503 when there are too many already. */
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

  #beatLater(): () => void {
    return this.#clock.after(HEARTBEAT, () => {
      this.#send(': still here\n\n');
      this.#stopHeartbeat = this.#beatLater();
    });
  }
}
