import { describe, expect, it } from 'vitest';
import { BroadsheetError } from '../../src-main/contract/errors.ts';
import { retryWhileInUse } from '../../src-main/node/retry-while-in-use.ts';

const IN_USE = new BroadsheetError('data_in_use', 'Set by a test.');

/** Attempts that take some time each; the last of `failures` is followed by success. */
function openScene(attemptMs: number, failures = Infinity, error: Error = IN_USE) {
  let now = 0;
  let attempts = 0;
  const time = { now: () => now, wait: async (ms: number) => void (now += ms) };
  const attempt = async (): Promise<string> => {
    now += attemptMs;
    attempts += 1;
    if (attempts <= failures) throw error;
    return 'open';
  };
  return { run: (limit: number) => retryWhileInUse(attempt, limit, time), now: () => now, attempts: () => attempts };
}

describe('a folder in use', () => {
  it.each([0, 1, 2_000, 2_800])('is given up after about ten seconds if an attempt takes %d ms', async (attemptMs) => {
    const { run, now } = openScene(attemptMs);
    await expect(run(10_000)).rejects.toBe(IN_USE);
    expect(now()).toBeGreaterThanOrEqual(9_800 - attemptMs);
    expect(now()).toBeLessThanOrEqual(10_000);
  });

  it('is opened as soon as it is free', async () => {
    const { run, now } = openScene(100, 3);
    expect(await run(10_000)).toBe('open');
    expect(now()).toBe(1_000);
  });

  it('is tried once without a limit to wait for, and with another error', async () => {
    const once = openScene(100);
    await expect(once.run(0)).rejects.toBe(IN_USE);
    const full = new BroadsheetError('disk_full', 'Set by a test.');
    const other = openScene(100, Infinity, full);
    await expect(other.run(10_000)).rejects.toBe(full);
    expect([once.attempts(), other.attempts()]).toEqual([1, 1]);
  });
});
