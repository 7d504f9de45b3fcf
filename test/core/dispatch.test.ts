import { describe, expect, it } from 'vitest';
import type { MethodName } from '../../src-main/contract/methods.ts';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { createDispatch, type Dispatch } from '../../src-main/core/wire.ts';
import { fakeClock } from '../support/clock.ts';
import type { LogLine } from '../support/test-app.ts';

interface Room {
  dispatch: Dispatch;
  log: LogLine[];
}

/** Calls of any method run `body` with their arguments. */
function openRoom(body: (args: unknown) => unknown, tookMs = 0): Room {
  const clock = fakeClock();
  const log: LogLine[] = [];
  const run = async (_method: MethodName, args: unknown): Promise<never> => {
    clock.advance(tookMs);
    return (await body(args)) as never;
  };
  const dispatch = createDispatch(run, {
    clock,
    log: (level, message, fields = {}) => void log.push({ level, message, fields }),
  });
  return { dispatch, log };
}

describe('a call', () => {
  it('with valid arguments reaches its handler', async () => {
    const { dispatch } = openRoom((given) => given);
    expect(await dispatch('items.get', { id: 'a' })).toEqual({ ok: true, value: { id: 'a' } });
  });

  it('that fails returns code, message and request id', async () => {
    const { dispatch, log } = openRoom(() => {
      throw new BroadsheetError('rate_limited', 'Later.', { retryable: true, requestId: 'r-1' });
    });
    const error = { code: 'rate_limited', message: 'Later.', retryable: true, requestId: 'r-1' };
    expect(await dispatch('counts.get', {})).toEqual({ ok: false, error });
    expect(log).toEqual([]);
  });

  it.each([new Error('a secret word'), new TypeError('a secret word'), 'a secret word', null, undefined])(
    'that throws %j unexpectedly does not return it, but logs it',
    async (thrown) => {
      const { dispatch, log } = openRoom(() => {
        // eslint-disable-next-line @typescript-eslint/only-throw-error -- a defect may throw anything
        throw thrown;
      });
      const reply = await dispatch('counts.get', {});
      expect(reply).toMatchObject({ ok: false, error: { code: 'internal', retryable: false } });
      expect(JSON.stringify(reply)).not.toContain('secret');
      expect(log).toMatchObject([{ level: 'error', fields: { method: 'counts.get' } }]);
    },
  );

  it('that is slow is logged, with its name but without arguments', async () => {
    const slow = openRoom(() => 0, 251);
    await slow.dispatch('items.count', { query: { scope: 'all', window: 'any', state: 'any', text: 'private words' } });
    expect(slow.log).toEqual([{ level: 'info', message: 'slow call', fields: { method: 'items.count', ms: 251 } }]);
    const quick = openRoom(() => 0, 250);
    await quick.dispatch('counts.get', {});
    expect(quick.log).toEqual([]);
  });
});
