/**
 * A service whose answers are wrong, in a process of its own: `fork` it, and send it a {@link Command}. It sends its
 * address first, and after each command how many answers it has changed so far.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { isWhole } from '../proofs.ts';
import { BOMBS } from './bombs.ts';
import { spoiled, type Answer, type Wrong } from './wrong-answers.ts';

/** The behaviour from now on: nothing wrong, send a bomb, or spoil the answers, one way after the other. */
export type Command = { kind: 'mend' } | { kind: 'bomb'; name: string } | { kind: 'spoil'; wrong: Wrong[] };
/** Asks how many answers were wrong in each way so far; the answers stay what they are. */
export const KINDS = 'kinds';

const content = isWhole ? { selected: 300, days: 20 } : { selected: 100, days: 6 };
const demo = await startDemoService({ clock: systemClock, content, models: 40 });
let command: Command = { kind: 'mend' };
let changed = 0;
const kinds: Record<string, number> = {};
/** Since the last command. */
let answers = 0;
let another: Buffer = Buffer.from('{}');
/** The body of the bomb. */
let body: Buffer = Buffer.alloc(0);

function send(response: http.ServerResponse, answer: Answer | null): void {
  if (answer === null) return void response.destroy();
  const { status, headers, body, breaks = false } = answer;
  response.writeHead(status, headers);
  response.write(body, () => (breaks ? response.destroy() : response.end()));
}

const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const json = { 'content-type': 'application/json', 'cache-control': 's-maxage=1' };
  if (command.kind === 'bomb' && BOMBS[command.name]?.path.test(pathname)) {
    changed += 1;
    response.writeHead(200, { ...json, 'content-length': body.length }).end(body);
    return;
  }
  const headers: http.OutgoingHttpHeaders = { ...request.headers, 'accept-encoding': 'identity' };
  if (command.kind === 'spoil') delete headers['if-none-match'];
  const onward = http.request(demo.newsAddress + (request.url ?? '/'), { headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const whole = Buffer.concat(chunks);
      const status = answer.statusCode ?? 502;
      if (command.kind !== 'spoil' || status !== 200) {
        response.writeHead(status, answer.headers).end(whole);
        return;
      }
      changed += 1;
      const { 'content-length': _, 'transfer-encoding': __, ...headers } = answer.headers;
      const wrong = command.wrong[answers++ % command.wrong.length];
      if (wrong) kinds[wrong.kind] = (kinds[wrong.kind] ?? 0) + 1;
      const right = { status, headers, body: whole };
      send(response, wrong ? spoiled(right, wrong, another) : right);
      another = whole;
    });
  });
  onward.on('error', () => response.destroy());
  onward.end();
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

let snapshots = 0;
process.on('message', (given: Command | typeof KINDS) => {
  if (given === KINDS) return void process.send?.(kinds);
  command = given;
  answers = 0;
  body = given.kind === 'bomb' ? Buffer.from(BOMBS[given.name]?.body() ?? '') : Buffer.alloc(0);
  // Snapshots, which are only fetched when changes can't be resumed, and stories of new events.
  snapshots += 1;
  if (snapshots % 4 === 0 || (given.kind === 'bomb' && BOMBS[given.name]?.path.test('/api/v1/selected/snapshot'))) {
    demo.control.requireSnapshot();
  }
  process.send?.(changed);
});
process.on('disconnect', () => process.exit());
