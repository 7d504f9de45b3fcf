export interface StreamedEvent {
  name: string;
  data: string;
}

/**
 * Yields the server-sent events of a response until it ends. `EventSource` can't send the key, so the stream is parsed
 * here. Lines end with LF, as the loopback server sends them. Throws the errors of the connection.
 */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const blocks = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = eventOf(block);
      if (event) yield event;
    }
  }
}

/** Returns null for a comment or a line that only `EventSource` needs. */
function eventOf(block: string): StreamedEvent | null {
  const fields = new Map(block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), valueOf(line)] as const));
  const name = fields.get('event');
  const data = fields.get('data');
  return name === undefined || data === undefined ? null : { name, data };
}

function valueOf(line: string): string {
  return line.slice(line.indexOf(':') + 1).replace(/^ /, '');
}
