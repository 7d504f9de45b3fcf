import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { namesIn, outcomeOf, verdictOf } from '../../scripts/setup/audit.mjs';

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
      notAsked: null,
      severe: ['undici <7.1.0: high', 'electron *: critical'],
    });
  });

  it('passes a moderate vulnerability, and one in a build tool', () => {
    const output = report({ undici: { severity: 'moderate', range: '*' }, vite: { severity: 'critical', range: '*' } });
    expect(verdictOf(output, CARRIED)).toEqual({ notAsked: null, severe: [] });
  });

  it('passes without vulnerabilities', () => {
    expect(verdictOf(report({}), CARRIED)).toEqual({ notAsked: null, severe: [] });
  });

  it.each([
    [
      'a registry without advisories',
      '{ "message": "405 Method Not Allowed", "statusCode": 405, "error": { "summary": "" } }',
      'the package registry answered with status 405',
    ],
    ['no network', 'npm error code ENOTFOUND', 'the network cannot be reached (ENOTFOUND)'],
    ['an empty answer', '', 'the package registry gave no usable answer'],
    ['an answer of another kind', '{ "vulnerabilities": null }', 'the package registry gave no usable answer'],
  ])('says why nothing was checked: %s', (_what, output, notAsked) => {
    expect(verdictOf(output, CARRIED)).toEqual({ notAsked, severe: [] });
  });

  const unasked = { notAsked: 'the network timed out (ETIMEDOUT)', severe: [] };
  const said = 'NOT CHECKED, because npm could not ask: the network timed out (ETIMEDOUT)';

  it('says clearly that nothing was checked, and lets a developer go on', () => {
    expect(outcomeOf(unasked, { required: false })).toEqual({
      passes: true,
      lines: [`known vulnerabilities in dependencies: ${said}`],
    });
  });

  it('fails where it is required, if nothing was checked', () => {
    expect(outcomeOf(unasked, { required: true })).toEqual({
      passes: false,
      lines: [`known vulnerabilities in dependencies: failed, ${said}`],
    });
  });

  it.each([true, false])('fails for what it found, and passes if it found nothing (required: %s)', (required) => {
    const none = outcomeOf({ notAsked: null, severe: [] }, { required });
    expect(none).toEqual({ passes: true, lines: ['known vulnerabilities in dependencies: none'] });
    const some = outcomeOf({ notAsked: null, severe: ['undici <7.1.0: high'] }, { required });
    expect(some.passes).toBe(false);
    expect(some.lines).toContain('undici <7.1.0: high');
  });

  it('is required in the hosted workflow', () => {
    const workflow = readFileSync(new URL('../../.github/workflows/ci.yml', import.meta.url), 'utf8');
    expect(workflow).toMatch(/run: npm run check -- --require-audit$/m);
  });

  it('takes the names of included packages from the licence texts', () => {
    const line = '='.repeat(80);
    expect(namesIn(`Heading\n\n${line}\n@a/b 1.0.0 (MIT)\n\nText\n\n${line}\nc 2.0.0 (ISC)\n\nText\n`)).toEqual([
      '@a/b',
      'c',
    ]);
  });
});
