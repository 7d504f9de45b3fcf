import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { notesOf, releasedIn } from '../../scripts/packaging/changelog.mjs';
import { inProject } from '../../scripts/setup/project.mjs';
import { temporaryFolder } from '../support/folders.ts';

const CHANGELOG = '# Changelog\n\n## Unreleased\n\n### Added\n\n- **Notes.**\n\n## 0.1.0 (2026-11-20)\n\nThe first.\n';

describe('the changelog of a release', () => {
  it('has the notes of what is unreleased, and begins the next version', () => {
    expect(notesOf(CHANGELOG)).toBe('### Added\n\n- **Notes.**');
    const released = releasedIn(CHANGELOG, { version: '0.2.0', date: '2026-12-01' });
    expect(released).toContain('## Unreleased\n\n## 0.2.0 (2026-12-01)\n\n### Added\n\n- **Notes.**\n\n## 0.1.0');
    expect(notesOf(released)).toBe('');
    expect(notesOf('# Changelog\n')).toBe('');
  });

  it('can be released now: the coming version has its part', () => {
    expect(readFileSync(inProject('CHANGELOG.md'), 'utf8')).toContain('\n## Unreleased\n');
  });
});

describe('npm run release', () => {
  let checkout = '';
  const git = (...args: string[]) => execFileSync('git', args, { cwd: checkout, encoding: 'utf8' });
  const write = (name: string, text: string) => writeFileSync(join(checkout, name), text);
  const commitAll = () => {
    git('add', '--all');
    git('-c', 'user.name=A test', '-c', 'user.email=test@broadsheet.invalid', 'commit', '--message', 'A test');
  };
  const release = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [join(checkout, 'scripts', 'release.mjs'), ...args], {
      encoding: 'utf8',
    });
    return { status, stderr };
  };
  const refused = (stderr: string) => ({ status: 1, stderr: `broadsheet: ${stderr}\n` });

  beforeEach(() => {
    checkout = temporaryFolder();
    for (const name of ['scripts', 'package.json', 'CHANGELOG.md'])
      cpSync(inProject(name), join(checkout, name), { recursive: true });
    git('init', '--quiet');
    commitAll();
  });

  it('refuses what is no version, or not higher than the last', () => {
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8')) as { version: string };
    const howTo = refused('Name the version: npm run release -- 1.2.0');
    expect(release()).toEqual(howTo);
    expect(release('next')).toEqual(howTo);
    expect(release(version)).toEqual(refused(`The version must be higher than ${version}.`));
  });

  it('refuses changes that are not committed, a version that is tagged, and one without notes, and changes nothing', () => {
    write('CHANGELOG.md', '# Changelog\n\n## Unreleased\n');
    expect(release('99.0.0')).toEqual(refused('Commit your changes first, or put them aside.'));
    commitAll();
    expect(release('99.0.0')).toEqual(refused('CHANGELOG.md says nothing of this version, below “Unreleased”.'));
    git('tag', 'v99.0.0');
    expect(release('99.0.0')).toEqual(refused('There is a tag v99.0.0 already.'));
    expect(git('status', '--porcelain')).toBe('');
  });
});
