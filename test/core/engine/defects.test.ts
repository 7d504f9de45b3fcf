import { describe, expect, it } from 'vitest';
import { observeDefects, toFailure } from '../../../src-main/contract/errors.ts';
import { logDefects } from '../../../src-main/core/threads.ts';
import { openTestApp, type LogLine } from '../../support/test-app.ts';

const DEFECTIVE_ENGINE = new URL('../../support/defective-engine.ts', import.meta.url);

describe('a defect in the thread of the engine', () => {
  it('is logged with its stack, once per cause', async () => {
    const app = await openTestApp({ thread: DEFECTIVE_ENGINE });
    for (let n = 0; n < 3; n += 1) {
      expect(await app.reply('visits.end', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
    }
    expect(await app.reply('sync.resume', {})).toMatchObject({ ok: false, error: { code: 'internal' } });
    const traces = app.log.filter(({ level }) => level === 'error').map(({ fields }) => String(fields['trace']));
    expect(traces).toEqual([
      expect.stringMatching(/^TypeError: Defect number 1.*\n\s+at .*defective-engine\.ts/),
      expect.stringMatching(/^RangeError: Another defect.*\n\s+at .*defective-engine\.ts/),
    ]);
    expect(await app.call('sync.status', {})).toBeDefined();
  });
});

describe('the log of defects', () => {
  it('is bounded, and takes anything that is thrown', () => {
    const log: LogLine[] = [];
    logDefects((level, message, fields = {}) => void log.push({ level, message, fields }));
    for (let n = 0; n < 500; n += 1) toFailure(`cause ${n}`);
    for (const thrown of [null, undefined, 7, {}]) toFailure(thrown);
    observeDefects(() => undefined);
    expect(log).toHaveLength(100);
    toFailure(new Error('Not observed.'));
    expect(log).toHaveLength(100);
  });
});
