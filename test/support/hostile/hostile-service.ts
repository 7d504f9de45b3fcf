/**
 * A service whose answers are wrong, in a process of its own: `fork` it, and send it a {@link Command}. It sends its
 * address first, and after each command how many answers it has changed so far.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { startDemoService } from '../../../src-main/demo/service.ts';
import { systemClock } from '../../../src-main/core/system-clock.ts';
import { BOMBS } from './bombs.ts';
import { mutated } from './mutations.ts';

/** What it does from now on: nothing wrong, send a bomb, or change every answer. */
export type Command = { kind: 'mend' } | { kind: 'bomb'; name: string } | { kind: 'mutate'; seed: number };

const demo = await startDemoService({ clock: systemClock, content: { selected: 300, days: 20 }, models: 40 });
let command: Command = { kind: 'mend' };
let changed = 0;
/** Of the bomb. */
let body: Buffer = Buffer.alloc(0);

const server = http.createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const json = { 'content-type': 'application/json', 'cache-control': 's-maxage=1' };
  if (command.kind === 'bomb' && BOMBS[command.name]?.path.test(pathname)) {
    changed += 1;
    response.writeHead(200, { ...json, 'content-length': body.length }).end(body);
    return;
  }
  const headers: http.OutgoingHttpHeaders = { ...request.headers, 'accept-encoding': 'identity' };
  if (command.kind === 'mutate') delete headers['if-none-match'];
  const onward = http.request(demo.newsAddress + (request.url ?? '/'), { headers }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.on('end', () => {
      const whole = Buffer.concat(chunks);
      if (command.kind !== 'mutate' || answer.statusCode !== 200) {
        response.writeHead(answer.statusCode ?? 502, answer.headers).end(whole);
        return;
      }
      changed += 1;
      const { 'content-length': _, 'transfer-encoding': __, ...rest } = answer.headers;
      response.writeHead(200, rest).end(mutated(whole.toString(), command.seed, changed));
    });
  });
  onward.on('error', () => response.destroy());
  onward.end();
});
server.listen(0, '127.0.0.1', () => process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));

let snapshots = 0;
process.on('message', (given: Command) => {
  command = given;
  body = given.kind === 'bomb' ? Buffer.from(BOMBS[given.name]?.body() ?? '') : Buffer.alloc(0);
  // Snapshots, which are only fetched when changes can't be resumed, and stories of new events.
  snapshots += 1;
  if (snapshots % 4 === 0 || (given.kind === 'bomb' && BOMBS[given.name]?.path.test('/api/v1/selected/snapshot'))) {
    demo.control.requireSnapshot();
  }
  process.send?.(changed);
});
process.on('disconnect', () => process.exit());
