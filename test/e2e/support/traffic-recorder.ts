import type { CDPSession, Page, Request } from 'playwright';

export interface Sighting {
  where: string;
  /** Where a secret was found, without the secret itself, because this is printed when a test fails. */
  what: string;
}

/** Records all traffic of a page, to search it for secrets. */
export interface TrafficRecorder {
  /** Requests that contained a text, as method and path. */
  sentIn(text: string): string[];
  /** All other places that contain a text: responses, events, the console, and the current page. */
  seen(text: string): Promise<Sighting[]>;
  /** Which of these texts, of ASCII, any string in the memory of the page's scripts contains, after garbage collection. */
  remembers(texts: readonly string[]): Promise<string[]>;
}

/** Starts recording; earlier traffic is not known. */
export async function recordTraffic(page: Page): Promise<TrafficRecorder> {
  const sent: { name: string; text: string }[] = [];
  const heard: { where: string; text: string }[] = [];
  const reading: Promise<unknown>[] = [];
  page.on('request', (request) => sent.push({ name: nameOf(request), text: textOf(request) }));
  page.on('console', (message) => heard.push({ where: 'console', text: message.text() }));
  page.on('pageerror', (error) => heard.push({ where: 'page error', text: error.stack ?? error.message }));
  page.on('response', (response) => {
    // The event stream never ends; it is recorded below.
    if (response.url().endsWith('/events')) return;
    const where = `answer of ${nameOf(response.request())}`;
    const headers = JSON.stringify(response.headers());
    reading.push(
      response.text().then(
        (body) => heard.push({ where, text: headers + body }),
        // An aborted request has no body.
        () => heard.push({ where, text: headers }),
      ),
    );
  });
  const session = await page.context().newCDPSession(page);
  await recordEvents(session, (name, text) => heard.push({ where: `event ${name}`, text }));
  return {
    sentIn: (text) => sent.filter((request) => request.text.includes(text)).map(({ name }) => name),
    seen: async (text) => {
      await Promise.all(reading);
      const all = [...heard, ...(await heldBy(page))];
      return all.filter((one) => one.text.includes(text)).map((one) => sighting(one.where, one.text, text));
    },
    remembers: async (texts) => {
      const memory = await snapshotOf(session);
      return texts.filter((text) => memory.includes(text));
    },
  };
}

/** The page reads its events with fetch: the bytes of that answer, as they come. */
async function recordEvents(session: CDPSession, hear: (name: string, text: string) => void): Promise<void> {
  const streams = new Map<string, string>();
  const take = (id: string, base64: string): void => {
    const events = ((streams.get(id) ?? '') + Buffer.from(base64, 'base64').toString()).split('\n\n');
    streams.set(id, events.pop() ?? '');
    for (const event of events) hear(/^event: (.*)$/m.exec(event)?.[1] ?? '', event);
  };
  session.on('Network.dataReceived', ({ requestId, data }) => {
    if (data !== undefined && streams.has(requestId)) take(requestId, data);
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    if (!response.url.endsWith('/events')) return;
    streams.set(requestId, '');
    void session.send('Network.streamResourceContent', { requestId }).then(({ bufferedData }) => {
      take(requestId, bufferedData);
    });
  });
  await session.send('Network.enable');
}

/** The memory as JSON, with all strings. */
async function snapshotOf(session: CDPSession): Promise<string> {
  const chunks: string[] = [];
  const collect = ({ chunk }: { chunk: string }): void => void chunks.push(chunk);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  session.on('HeapProfiler.addHeapSnapshotChunk', collect);
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  session.off('HeapProfiler.addHeapSnapshotChunk', collect);
  return chunks.join('');
}

function nameOf(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`;
}

function textOf(request: Request): string {
  return [request.url(), JSON.stringify(request.headers()), request.postData() ?? ''].join('\n');
}

function sighting(where: string, text: string, secret: string): Sighting {
  const at = text.indexOf(secret);
  const around = text.slice(Math.max(0, at - 40), at + secret.length + 40);
  return { where, what: around.replaceAll(secret, '<the secret>') };
}

/** Everything in the page that scripts can access: markup, fields, storage, timings, history and globals. */
async function heldBy(page: Page): Promise<{ where: string; text: string }[]> {
  const held = await page.evaluate(async () => {
    const fields = [...document.querySelectorAll<HTMLInputElement>('input, textarea, select')].map(
      ({ value, defaultValue }) => `${value} ${defaultValue}`,
    );
    const databases = await Promise.all(
      (await indexedDB.databases()).map(async ({ name }) => {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const opening = indexedDB.open(name ?? '');
          opening.onsuccess = () => resolve(opening.result);
          opening.onerror = () => reject(opening.error ?? new Error('Cannot open the database.'));
        });
        return [name, ...database.objectStoreNames];
      }),
    );
    const seen = new WeakSet<object>();
    const globals = JSON.stringify(
      Object.fromEntries(Object.entries(window).filter(([, value]) => value !== window)),
      (_key, value: unknown) => {
        if (typeof value !== 'object' || value === null) return value;
        if (seen.has(value) || value instanceof Node) return undefined;
        seen.add(value);
        return value;
      },
    );
    return {
      markup: document.documentElement.outerHTML,
      fields: JSON.stringify(fields),
      storage: JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), databases]),
      caches: JSON.stringify('caches' in window ? await caches.keys() : []),
      timings: JSON.stringify(performance.getEntries()),
      address: `${location.href} ${document.cookie} ${JSON.stringify(history.state)}`,
      globals,
    };
  });
  return Object.entries(held).map(([where, text]) => ({ where, text }));
}
