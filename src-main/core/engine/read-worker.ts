import type { MessagePort } from 'node:worker_threads';
import { toFailure } from '../../contract/errors.ts';
import { readHere } from '../reads.ts';
import { openQueries } from '../../store/index.ts';
import { logDefects } from './defects.ts';
import type { ReadMessage, ReadRequest, ReadSetup } from './read-thread.ts';

/** Answers long reads on a read-only connection until it is stopped. Runs in a thread of its own. */
export function serveReads(port: MessagePort, { folder }: ReadSetup): void {
  const queries = openQueries(folder);
  const read = readHere(queries);
  const say = (message: ReadMessage): void => {
    port.postMessage(message);
  };
  logDefects((...line) => {
    say({ kind: 'log', line });
  });
  port.on('message', (request: ReadRequest) => {
    if (request === null) {
      queries.close();
      port.close();
      return;
    }
    const { id, method, args, context } = request;
    read(method, args as never, context).then(
      (value) => {
        say({ kind: 'value', id, value });
      },
      (error: unknown) => {
        say({ kind: 'failure', id, error: toFailure(error) });
      },
    );
  });
  say({ kind: 'ready' });
}
