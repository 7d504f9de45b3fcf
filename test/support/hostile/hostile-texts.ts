import http from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A service whose texts attack whoever shows them: everything else in its answers is right, so that they are saved and
 * shown.
 */

/** Set by a script that should never run. */
export const RAN = 'hostileRan';

const WORD = 'w'.repeat(20_000);
/** Prefixes for a text, one after another. None of them may be more than text to the page. */
export const HOSTILE_TEXTS: readonly string[] = [
  `<script>globalThis.${RAN} = 1</script>`,
  `<img src=x onerror="globalThis.${RAN} = 2">`,
  `<svg/onload=globalThis.${RAN}=3>`,
  `"><iframe srcdoc="<script>parent.${RAN} = 4</script>">`,
  `[link](javascript:globalThis.${RAN}=5) ![image](https://outside.example/pixel.png)`,
  `</title></style></textarea></script><script>alert(6)</script>`,
  `<style>*{display:none!important;background:url(https://outside.example/style)}</style>`,
  `<a href="javascript:alert(7)" autofocus onfocus="alert(8)">open</a>`,
  '\u202e\u2066\u2067\u2068\u200f turned round \u202d\u202b',
  '\u0301'.repeat(600),
  '{{constructor.constructor("alert(9)")()}} ${alert(10)} {@html "<b>x</b>"}',
  '# heading\n\n```html\n<script>alert(11)</script>\n```\n\n<details open ontoggle=alert(12)>',
  '\u0000\u0007\u001b[31m\ufeff\ufffe\ud800 control',
  '👩‍👩‍👧‍👦'.repeat(200),
  '%3Cscript%3Ealert(13)%3C/script%3E &lt;script&gt;alert(14)&lt;/script&gt; &#x3C;b&#x3E;',
  WORD,
];

const HOSTILE_ADDRESSES: readonly string[] = [
  `javascript:globalThis.${RAN}=20`,
  `JaVaScRiPt:\n\talert(21)`,
  `data:text/html,<script>opener.${RAN} = 22</script>`,
  'https://outside.example/"onmouseover="alert(23)',
  `https://outside.example/${'a'.repeat(1_000)}`,
  'file:///etc/passwd',
  'vbscript:msgbox(24)',
  'https://user:password@outside.example/',
];

/** Members that are shown, whatever their values look like. */
const SHOWN = new Set([
  'title',
  'originalTitle',
  'headline',
  'summary',
  'reason',
  'digest',
  'name',
  'label',
  'description',
  'sourceName',
  'sourceNames',
  'lead',
  'overview',
  'text',
]);

/** The same text gets the same attack in a turn, so that an answer is the same each time. */
function pick(from: readonly string[], text: string, turn: number): string {
  let hash = 7;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return from[(hash + 4 * turn) % from.length] ?? '';
}

function hostile(key: string, value: string, turn: number): string {
  // Without its address no story would be synced.
  if (/^https?:\/\/[^/]+\/stories\//.test(value)) return value;
  if (/^https?:\/\//.test(value)) return pick(HOSTILE_ADDRESSES, value, turn);
  const isText = SHOWN.has(key) || /\s/.test(value) || /\p{Script=Han}/u.test(value);
  return isText ? `${pick(HOSTILE_TEXTS, value, turn)} ${value}` : value;
}

function changed(key: string, value: unknown, turn: number): unknown {
  if (typeof value === 'string') return hostile(key, value, turn);
  if (Array.isArray(value)) return value.map((one) => changed(key, one, turn));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(name, one, turn)]));
}

export interface HostileTexts {
  address: string;
  /** How many answers had other texts so far. */
  sent(): number;
  close(): Promise<void>;
}

/** Passes on what the service at `address` answers, with other texts. In each `turn`, a text gets another attack. */
export async function startHostileTexts(address: string, turn = 0): Promise<HostileTexts> {
  let sent = 0;
  const server = http.createServer((request, response) => {
    const headers: http.OutgoingHttpHeaders = { ...request.headers, 'accept-encoding': 'identity' };
    delete headers['host'];
    const onward = http.request(address + (request.url ?? '/'), { method: request.method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('end', () => {
        const { 'content-length': _, 'transfer-encoding': __, ...rest } = answer.headers;
        const whole = Buffer.concat(chunks).toString();
        const isJson = answer.headers['content-type']?.includes('json') && whole !== '';
        const body = isJson ? JSON.stringify(changed('', JSON.parse(whole), turn)) : whole;
        if (body !== whole) sent += 1;
        response.writeHead(answer.statusCode ?? 502, rest).end(body);
      });
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
