import { beforeEach, describe, expect, it } from 'vitest';
import { PageProblems } from '../../../src-renderer/app/page-problems.svelte.ts';
import { wireAlone, type ControlledWire } from '../support/controlled-wire.ts';

let wire: ControlledWire;
let now: number;
let problems: PageProblems;

beforeEach(() => {
  wire = wireAlone();
  now = 0;
  problems = new PageProblems(wire, () => now);
});

const reported = () => wire.argsOf('problems.report');

describe('errors of the page', () => {
  it('that are uncaught are reported to the core with message and stack', () => {
    const stop = problems.listen();
    const error = new TypeError('x is no function');
    window.dispatchEvent(new ErrorEvent('error', { error, message: 'x' }));
    const reject = (reason: Error): void => {
      window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
    };
    reject(new RangeError('too far'));
    stop();
    reject(new Error('later'));
    expect(reported()).toEqual([
      { message: 'TypeError: x is no function', trace: error.stack },
      { message: 'RangeError: too far', trace: expect.any(String) as string },
    ]);
    expect(problems.met).toBe(true);
  });

  it('do not include the browsers’ notes about repeated layouts', () => {
    const stop = problems.listen();
    window.dispatchEvent(new ErrorEvent('error', { message: 'ResizeObserver loop completed' }));
    stop();
    expect(reported()).toEqual([]);
  });

  it('do not contain anything else that was thrown', () => {
    problems.report({ title: 'A title of the service' });
    problems.report('A text');
    expect(reported().map(({ message }) => message)).toEqual([
      'Thrown, and no error: object',
      'Thrown, and no error: string',
    ]);
  });

  it('are reported once each, and not too many a minute', () => {
    const same = new Error('the same');
    problems.report(same);
    problems.report(same);
    expect(reported()).toHaveLength(1);
    for (let n = 0; n < 20; n += 1) problems.report(new Error(`number ${n}`));
    expect(reported()).toHaveLength(6);
    now = 60_001;
    problems.report(new Error('after a while'));
    expect(reported()).toHaveLength(7);
  });

  it('are cut to the length that the core accepts', () => {
    const error = new Error('m'.repeat(9000));
    error.stack = 's'.repeat(90_000);
    problems.report(error);
    expect(reported()[0]).toEqual({ message: expect.stringMatching(/^.{2000}$/) as string, trace: 's'.repeat(20_000) });
  });
});
