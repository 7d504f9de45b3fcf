import { describe, expect, it } from 'vitest';
import { namesIn, verdictOf } from '../../scripts/setup/audit.mjs';

const CARRIED = ['electron', 'undici'];

function report(vulnerabilities: Record<string, { severity: string; range: string }>): string {
  return `npm warn something else\n${JSON.stringify({ auditReportVersion: 2, vulnerabilities })}\n`;
}

describe('the audit of the dependencies', () => {
  it('fails for a grave weakness in what a reader runs, and names it', () => {
    const output = report({
      undici: { severity: 'high', range: '<7.1.0' },
      electron: { severity: 'critical', range: '*' },
    });
    expect(verdictOf(output, CARRIED)).toEqual({
      checked: true,
      severe: ['undici <7.1.0: high', 'electron *: critical'],
    });
  });

  it('passes a moderate one, and one in a tool', () => {
    const output = report({ undici: { severity: 'moderate', range: '*' }, vite: { severity: 'critical', range: '*' } });
    expect(verdictOf(output, CARRIED)).toEqual({ checked: true, severe: [] });
  });

  it('passes where there is none', () => {
    expect(verdictOf(report({}), CARRIED)).toEqual({ checked: true, severe: [] });
  });

  it.each([
    ['a registry that keeps no advisories', '{ "message": "405 Method Not Allowed", "error": { "summary": "" } }'],
    ['no network', 'npm error code ENOTFOUND'],
    ['no answer in time', ''],
  ])('says that it could not ask: %s', (_what, output) => {
    expect(verdictOf(output, CARRIED)).toEqual({ checked: false, severe: [] });
  });

  it('takes the names of what is carried from the licence texts', () => {
    const line = '='.repeat(80);
    expect(namesIn(`Heading\n\n${line}\n@a/b 1.0.0 (MIT)\n\nText\n\n${line}\nc 2.0.0 (ISC)\n\nText\n`)).toEqual([
      '@a/b',
      'c',
    ]);
  });
});
