import { describe, expect, it } from 'vitest';
import type { Log } from '../../../src-main/contract/ports.ts';
import { HostLog } from '../../../src-main/core/log.ts';

const broken: Log = () => {
  throw new Error('the log cannot be written');
};

describe('the log of a host', () => {
  it('goes on if one of its outputs fails, and reports that nowhere', () => {
    const lines: unknown[][] = [];
    const { log } = new HostLog(broken, (...line) => lines.push(line), broken);
    log('warn', 'first', { ms: 0 });
    log('error', 'second', { ms: 1 });
    expect(lines).toEqual([
      ['warn', 'first', { ms: 0 }],
      ['error', 'second', { ms: 1 }],
    ]);
  });

  it('drops a line from which the key cannot be removed', () => {
    const lines: unknown[][] = [];
    const hostLog = new HostLog((...line) => lines.push(line));
    hostLog.hide({
      get: () => {
        throw new Error('no keychain');
      },
    });
    expect(() => hostLog.log('warn', 'first')).not.toThrow();
    expect(lines).toEqual([]);
  });
});
