import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { sbomOf } from '../../scripts/packaging/sbom.mjs';
import { writeSbom } from '../../scripts/setup/sbom.mjs';
import { packageNamesIn } from './support/packed.ts';

interface Component {
  'bom-ref': string;
  type: string;
  name: string;
  version: string;
  purl: string;
  hashes?: { alg: string; content: string }[];
  externalReferences?: { type: string; url: string }[];
  properties?: { name: string; value: string }[];
}

interface Sbom {
  bomFormat: string;
  specVersion: string;
  metadata: { component: Component };
  components: Component[];
  dependencies: { ref: string; dependsOn: string[] }[];
}

const root = join(import.meta.dirname, '../..');
const isBuilt = existsSync(join(root, 'out/main/main.js'));

describe.skipIf(!isBuilt)('the list of what is in an installer (skipped before "npm run build")', () => {
  it('is a CycloneDX file with the hash of each package whose licence is included, and of Electron', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'broadsheet-sbom-'));
    try {
      const file = await writeSbom(join(folder, 'installers'));
      expect(basename(file)).toBe(`broadsheet-${packageJson.version}.cdx.json`);
      const text = readFileSync(file, 'utf8');
      const sbom = JSON.parse(text) as Sbom;
      expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5' });
      expect(sbom.metadata.component).toMatchObject({
        type: 'application',
        name: 'broadsheet',
        version: packageJson.version,
      });
      const licences = packageNamesIn(readFileSync(join(root, 'resources/licences.txt'), 'utf8'));
      const names = new Set(sbom.components.map(({ name }) => name));
      expect([...names].sort()).toEqual([...new Set([...licences, 'electron'])].sort());
      for (const { name, hashes, purl, version } of sbom.components) {
        expect(hashes, name).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }]);
        expect(purl).toBe(`pkg:npm/${name.replace('@', '%40')}@${version}`);
      }
      expect(text).not.toContain('"distribution"');
      expect(text).not.toContain(root);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the list of what is in an installer', () => {
  const component = (name: string) => ({
    'bom-ref': `${name}@1.0.0`,
    type: 'library',
    name,
    version: '1.0.0',
    properties: [
      { name: 'cdx:npm:package:path', value: `node_modules/${name}` },
      { name: 'cdx:npm:package:development', value: 'true' },
    ],
    externalReferences: [
      { type: 'distribution', url: 'https://mirror.example/one.tgz' },
      { type: 'website', url: 'https://one.example' },
    ],
  });
  const installed = {
    bomFormat: 'CycloneDX',
    metadata: { component: { ...component('folder'), 'bom-ref': 'app@1.0.0' } },
    components: [component('inside'), component('tool')],
    dependencies: [
      { ref: 'app@1.0.0', dependsOn: ['inside@1.0.0', 'tool@1.0.0'] },
      { ref: 'tool@1.0.0', dependsOn: [] },
      { ref: 'inside@1.0.0', dependsOn: ['tool@1.0.0'] },
    ],
  };

  it('leaves out tools, what depends on them, and how npm got the packages', () => {
    const sbom = sbomOf(installed, ['inside@1.0.0'], { name: 'app', version: '2.0.0' });
    expect(sbom.components).toMatchObject([
      { name: 'inside', properties: [], externalReferences: [{ type: 'website', url: 'https://one.example' }] },
    ]);
    expect(sbom.components).toHaveLength(1);
    expect(sbom.metadata.component).toMatchObject({ type: 'application', name: 'app', version: '2.0.0' });
    expect(sbom.dependencies).toEqual([
      { ref: 'app@1.0.0', dependsOn: ['inside@1.0.0'] },
      { ref: 'inside@1.0.0', dependsOn: [] },
    ]);
  });

  it('is not written without a package that is inside', () => {
    expect(() => sbomOf(installed, ['gone@1.0.0'], { name: 'app', version: '1' })).toThrow(/gone@1\.0\.0/);
  });
});

it('the workflow stores the list beside the installers', () => {
  const workflow = readFileSync(join(root, '.github/workflows/installers.yml'), 'utf8');
  expect(workflow).toContain('installers/*.cdx.json');
  expect(readFileSync(join(root, 'scripts/installers.mjs'), 'utf8')).toContain('writeSbom(');
});
