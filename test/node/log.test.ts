import { describe, expect, it } from 'vitest';
import { createStderrLog } from '../../src-main/node/shell.ts';
import { hearShell } from './shells.ts';

describe('the log on stderr', () => {
  it('has warnings and errors, each on one line without control characters', () => {
    const { shell, out, err } = hearShell();
    const log = createStderrLog(shell);
    log('debug', 'nobody needs this');
    log('info', 'nor this');
    log('warn', 'a title\u001b[2J', { resource: 'selected', reason: 'with a\nbreak', requests: 2 });
    log('error', 'call failed', { trace: 'TypeError\n    at there' });
    expect(err()).toBe(
      'broadsheet: warn: picks: a title\uFFFD[2J: with a break\n' + 'broadsheet: error: call failed\n',
    );
    expect(out()).toBe('');
  });

  it('has everything in debug mode', () => {
    const { shell, err } = hearShell({ BROADSHEET_DEBUG: '1' });
    const log = createStderrLog(shell);
    log('debug', 'a detail');
    log('error', 'call failed', { trace: 'TypeError' });
    expect(err()).toBe('broadsheet: debug: a detail\nbroadsheet: error: call failed (trace=TypeError)\n');
  });
});
