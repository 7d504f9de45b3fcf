import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVENT_NAMES } from '../../../src-main/contract/events.ts';
import { BACKLOG_LIMIT, EventStreams, HEARTBEAT, STREAM_LIMIT } from '../../../src-main/node/server/event-streams.ts';
import { ask, openRoom } from '../hosts.ts';
import type { Room } from '../hosts.ts';

let room: Room;
beforeEach(async () => {
  room = await openRoom();
});
afterEach(() => room.server.close());

function listen(port = room.server.port): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/events',
      headers: { cookie: room.cookie, authorization: `Bearer ${room.key}` },
      agent: false as const,
    };
    const sent = get(options, (stream) => {
      stream.on('error', () => undefined);
      resolve(stream);
    });
    sent.once('error', reject);
  });
}

/** Reads until the text arrives; otherwise the test times out. */
async function readUntil(stream: IncomingMessage, wanted: string): Promise<string> {
  let text = '';
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    text += String(chunk);
    if (text.includes(wanted)) break;
  }
  return text;
}

describe('the event stream', () => {
  it('sends every event to every client, as one line of JSON', async () => {
    const streams = await Promise.all([listen(), listen()]);
    expect(streams[0].headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    room.wire.emit('marks.changed', { ids: ['a\nb'] });
    for (const stream of streams) {
      expect(await readUntil(stream, 'data:')).toContain('event: marks.changed\ndata: {"ids":["a\\nb"]}\n\n');
    }
  });

  it('sends a comment while nothing happens', async () => {
    const stream = await listen();
    await readUntil(stream, 'retry');
    room.clock.advance(HEARTBEAT);
    expect(await readUntil(stream, '\n\n')).toBe(': still here\n\n');
    room.clock.advance(HEARTBEAT);
    expect(await readUntil(stream, '\n\n')).toBe(': still here\n\n');
  });

  it('disconnects only a client that is too slow', async () => {
    const streams = new EventStreams(room.wire, room.clock);
    const server = createServer((_request, response) => streams.open(response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const slow = await listen(port);
    const quick = await listen(port);
    slow.pause();
    // Socket buffers differ between systems, so fill them until the client is disconnected.
    while (streams.size === 2) {
      room.wire.emit('marks.changed', { ids: ['x'.repeat(BACKLOG_LIMIT / 4)] });
      await readUntil(quick, 'xx"]');
    }
    room.wire.emit('marks.changed', { ids: ['still here'] });
    expect(await readUntil(quick, 'still here')).toContain('still here');
    slow.destroy();
    streams.close();
    server.close();
  });

  it('is refused if there are too many', async () => {
    await Promise.all(Array.from({ length: STREAM_LIMIT }, () => listen()));
    const headers = { cookie: room.cookie, authorization: `Bearer ${room.key}` };
    expect((await ask(room.server.port, { path: '/events', headers })).status).toBe(503);
  });

  it('ends with the server, without a listener or timer left', async () => {
    const stream = await listen();
    expect(room.wire.listening).toBe(EVENT_NAMES.length);
    const ended = new Promise((resolve) => stream.once('close', resolve));
    stream.resume();
    await room.server.close();
    await ended;
    expect(room.wire.listening).toBe(0);
    expect(room.clock.pending).toBe(0);
  });
});
