import { describe, expect, it } from 'vitest';
import { namesIn, verdictOf } from '../../scripts/setup/audit.mjs';

const CARRIED = ['electron', 'undici'];

function report(vulnerabilities: Record<string, { severity: string; range: string }>): string {
  return `npm warn something else\n${JSON.stringify({ auditReportVersion: 2, vulnerabilities })}\n`;
}

describe('the audit of dependencies', () => {
  it('fails for a severe vulnerability in code that users run, and names it', () => {
    const output = report({
      undici: { severity: 'high', range: '<7.1.0' },
      electron: { severity: 'critical', range: '*' },
    });
    expect(verdictOf(output, CARRIED)).toEqual({
      checked: true,
      severe: ['undici <7.1.0: high', 'electron *: critical'],
    });
  });

  it('passes a moderate vulnerability, and one in a build tool', () => {
    const output = report({ undici: { severity: 'moderate', range: '*' }, vite: { severity: 'critical', range: '*' } });
    expect(verdictOf(output, CARRIED)).toEqual({ checked: true, severe: [] });
  });

  it('passes without vulnerabilities', () => {
    expect(verdictOf(report({}), CARRIED)).toEqual({ checked: true, severe: [] });
  });

  it.each([
    ['a registry without advisories', '{ "message": "405 Method Not Allowed", "error": { "summary": "" } }'],
    ['no network', 'npm error code ENOTFOUND'],
    ['no response in time', ''],
  ])('reports that nothing was checked: %s', (_what, output) => {
    expect(verdictOf(output, CARRIED)).toEqual({ checked: false, severe: [] });
  });

  it('takes the names of included packages from the licence texts', () => {
    const line = '='.repeat(80);
    expect(namesIn(`Heading\n\n${line}\n@a/b 1.0.0 (MIT)\n\nText\n\n${line}\nc 2.0.0 (ISC)\n\nText\n`)).toEqual([
      '@a/b',
      'c',
    ]);
  });
});
