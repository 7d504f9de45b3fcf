import { describe, expect, it } from 'vitest';
import { countTotals, totalsLine } from '../../scripts/testing/totals.mjs';

function file(status: string, ...tests: string[]) {
  return { status, assertionResults: tests.map((test) => ({ status: test })) };
}

describe('the totals of a run', () => {
  it('count tests over all files', () => {
    const report = { testResults: [file('passed', 'passed', 'passed'), file('failed', 'passed', 'failed')] };
    expect(countTotals(report, { exitCode: 1 })).toEqual({ passed: 3, failed: 1, skipped: 0 });
  });

  it('count all tests that did not run as skipped', () => {
    const report = { testResults: [file('passed', 'passed', 'skipped', 'pending', 'todo', 'disabled')] };
    expect(countTotals(report, { exitCode: 0 })).toEqual({ passed: 1, failed: 0, skipped: 4 });
  });

  it('count a file that could not be loaded as one failure', () => {
    const report = { testResults: [file('passed', 'passed'), file('failed')] };
    expect(countTotals(report, { exitCode: 1 })).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('count a file with a failed setup as one failure, and its tests as skipped', () => {
    const report = { testResults: [file('failed', 'skipped', 'skipped')] };
    expect(countTotals(report, { exitCode: 1 })).toEqual({ passed: 0, failed: 1, skipped: 2 });
  });

  it('count a failed run without a failed test as one failure', () => {
    const report = { testResults: [file('passed', 'passed')] };
    expect(countTotals(report, { exitCode: 1 })).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });

  it('count a run without a report as one failure', () => {
    expect(countTotals(null, { exitCode: 0 })).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  it('fail a run in which everything was skipped', () => {
    const report = { testResults: [file('passed', 'skipped')] };
    expect(countTotals(report, { exitCode: 0 })).toEqual({ passed: 0, failed: 1, skipped: 1 });
  });

  it('pass a run without tests if that is allowed', () => {
    const empty = { passed: 0, failed: 0, skipped: 0 };
    expect(countTotals({ testResults: [] }, { exitCode: 0, mayBeEmpty: true })).toEqual(empty);
    expect(countTotals({ testResults: [] }, { exitCode: 1, mayBeEmpty: true })).toEqual({ ...empty, failed: 1 });
    expect(countTotals({ testResults: [] }, { exitCode: 0 })).toEqual({ ...empty, failed: 1 });
  });

  it('add the failures of the setup', () => {
    const report = { testResults: [file('passed', 'passed')] };
    expect(countTotals(report, { exitCode: 0, otherFailures: 1 })).toEqual({ passed: 1, failed: 1, skipped: 0 });
  });
});

describe('the totals line', () => {
  it('has passed and failed', () => {
    expect(totalsLine({ passed: 12, failed: 0, skipped: 0 })).toBe('12 passed, 0 failed');
  });

  it('has skipped if there are any', () => {
    expect(totalsLine({ passed: 12, failed: 3, skipped: 2 })).toBe('12 passed, 3 failed, 2 skipped');
  });
});
