import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cyclesOf } from './support/layering/cycles.ts';
import { nameBreach } from './support/layering/folder-rules.ts';
import { breachOf, folderNameBreach, targetOf, wireBreach } from './support/layering/import-rules.ts';
import { importsOf, wireUsesIn } from './support/layering/imports.ts';
import { knownBreaches, knownCycles } from './support/layering/known-breaches.ts';

const paths = (pattern: string): string[] => globSync(pattern).map((path) => path.replaceAll('\\', '/'));
const sourceFiles = paths('{src-main,src-renderer}/**/*.{ts,svelte}').sort();
/** Without what the build makes of the messages. */
const productFiles = [...sourceFiles, ...paths('{src-main,src-renderer}/**/*.{json,js,css}')].filter(
  (file) => !file.startsWith('src-main/common/i18n/compiled/'),
);

interface Breach {
  rule: string;
  file: string;
  what: string;
}

function breachesIn(file: string, text: string): Breach[] {
  const imports = importsOf(file, text).flatMap((specifier) => {
    const rule = breachOf(file, specifier);
    return rule === null ? [] : [{ rule, file, what: `names ${specifier}` }];
  });
  const rule = file.startsWith('src-renderer/') ? wireBreach(file) : null;
  const uses = rule === null ? [] : wireUsesIn(file, text).map((use) => ({ rule, file, what: `has ${use}` }));
  return [...imports, ...uses];
}

const read = (file: string): string => readFileSync(file, 'utf8');
const isKnown = ({ rule, file }: Breach): boolean => knownBreaches[rule]?.includes(file) ?? false;

describe('the layering', () => {
  const breaches = sourceFiles.flatMap((file) => breachesIn(file, read(file)));

  it('finds the sources', () => {
    expect(sourceFiles).toContain('src-main/contract/methods.ts');
    expect(sourceFiles).toContain('src-renderer/app/App.svelte');
  });

  it('is kept by every source file, but for the breaches that are known', () => {
    expect(breaches.filter((breach) => !isKnown(breach))).toEqual([]);
  });

  it('has no known breach that is mended: take it out of the list', () => {
    const known = Object.entries(knownBreaches).flatMap(([rule, files]) => files.map((file) => `${file}: ${rule}`));
    const present = new Set(breaches.map(({ rule, file }) => `${file}: ${rule}`));
    expect(known.filter((entry) => !present.has(entry))).toEqual([]);
  });

  it('has no cycles of imports, types included', () => {
    const imports = sourceFiles.map((file) => {
      const specifiers = importsOf(file, read(file)).filter((specifier) => specifier.startsWith('.'));
      return [file, specifiers.map((specifier) => targetOf(file, specifier))] as const;
    });
    expect(cyclesOf(new Map(imports)).map((files) => files.join(' '))).toEqual(knownCycles);
  });

  it('has only the folders that the rules name', () => {
    expect(productFiles.flatMap((file) => folderNameBreach(file) ?? [])).toEqual([]);
  });

  it('has file names in kebab-case, and those of components in PascalCase', () => {
    expect(sourceFiles.flatMap((file) => nameBreach(file) ?? [])).toEqual([]);
  });
});

describe('the check itself', () => {
  it.each([
    ['a lower folder reaching up', 'src-main/store/items/write.ts', "import { x } from '../../sync/jobs/jobs.ts';"],
    ['two folders of one level', 'src-main/clients/news/client.ts', "import { x } from '../../store/index.ts';"],
    ['the engine reaching for the core', 'src-main/sync/engine/engine.ts', "import { x } from '../../core/core.ts';"],
    ['a host passing the core by', 'src-main/node/cli.ts', "import { x } from '../store/index.ts';"],
    ['one host in the other', 'src-main/electron/main.ts', "import { x } from '../node/shell.ts';"],
    ['the contract importing the app', 'src-main/contract/methods.ts', "import { x } from '../store/index.ts';"],
    ['the contract importing common code', 'src-main/contract/methods.ts', "import { x } from '../common/price.ts';"],
    ['common code importing the app', 'src-main/common/price.ts', "import { x } from '../clients/news/client.ts';"],
    ['the store by another file than its entry', 'src-main/core/core.ts', "import { x } from '../store/reader.ts';"],
    ["a type of the store's inside", 'src-main/core/reads.ts', "import type { X } from '../store/items/x.ts';"],
    ['the demo using the real client', 'src-main/demo/service.ts', "import { x } from '../clients/http/client.ts';"],
    ['the core starting the demo', 'src-main/core/core.ts', "import { x } from '../demo/service.ts';"],
    ['the preload reaching for the core', 'src-main/preload/preload.ts', "import { x } from '../core/core.ts';"],
    [
      'the main side importing the page',
      'src-main/core/core.ts',
      "import { x } from '../../src-renderer/ui/text/times.ts';",
    ],
    ['a file in no folder', 'src-main/misc/things.ts', "import { x } from '../contract/methods.ts';"],
    ['a source importing a test', 'src-main/core/core.ts', "import { x } from '../../test/support/clock.ts';"],
    ['electron outside of its folders', 'src-main/core/core.ts', "import { app } from 'electron';"],
    ['a part of electron', 'src-main/core/core.ts', "import { app } from 'electron/main';"],
    ['electron-store in the core', 'src-main/core/settings/settings.ts', "import Store from 'electron-store';"],
    ['better-sqlite3 outside of the store', 'src-main/sync/jobs/jobs.ts', "import Database from 'better-sqlite3';"],
    ['a type alone', 'src-main/sync/jobs/jobs.ts', "import type { Database } from 'better-sqlite3';"],
    ['a type in passing', 'src-main/sync/jobs/jobs.ts', "type D = import('better-sqlite3').Database;"],
    ['a re-export', 'src-main/store/items/write.ts', "export * from '../../sync/jobs/jobs.ts';"],
    ['a late import', 'src-main/store/items/write.ts', "const x = await import('../../sync/jobs/jobs.ts');"],
    ['a require', 'src-main/core/core.ts', "const e = require('electron');"],
    [
      'a worker by its address',
      'src-main/store/items/write.ts',
      "new URL('../../core/engine/engine-worker.ts', import.meta.url);",
    ],
    ["Node's modules in the contract", 'src-main/contract/methods.ts', "import { join } from 'node:path';"],
    ["Node's modules in common code", 'src-main/common/price.ts', "import { join } from 'node:path';"],
    ["Node's modules in a document", 'src-main/render/report.ts', "import { createHash } from 'node:crypto';"],
    [
      'the contract importing a document',
      'src-main/contract/api.ts',
      "import type { X } from '../render/document.ts';",
    ],
    ["Node's modules in the page", 'src-renderer/ui/text/times.ts', "import { join } from 'path';"],
    ['the page reaching past the contract', 'src-renderer/api/wire.ts', "import x from '../../src-main/core/core.ts';"],
    [
      'a feature reaching up',
      'src-renderer/features/feed/Feed.svelte',
      "<script>import '../../app/shortcuts.ts'</script>",
    ],
    ['a control knowing a feature', 'src-renderer/ui/Row.svelte', "<script>import '../features/feed/x.ts'</script>"],
    ['a control knowing app', 'src-renderer/ui/Row.svelte', "<script>import '../app/shortcuts.ts'</script>"],
    ['a control knowing a chart', 'src-renderer/ui/Row.svelte', "<script>import '../charts/shapes.ts'</script>"],
    ['a chart knowing a feature', 'src-renderer/charts/shapes.ts', "import '../features/feed/query.ts';"],
    ['a chart knowing app', 'src-renderer/charts/shapes.ts', "import '../app/shortcuts.ts';"],
    ["another feature's inside", 'src-renderer/features/feed/query.ts', "import '../stories/stories.svelte.ts';"],
    ['api in a view', 'src-renderer/features/feed/Feed.svelte', "<script>import '../../api/connect.ts'</script>"],
    ['api in plain code', 'src-renderer/features/feed/query.ts', "import '../../api/connect.ts';"],
    [
      'a view with the root state',
      'src-renderer/features/feed/Feed.svelte',
      "<script>import type { AppState } from '../../app/app-state.svelte.ts'</script>",
    ],
    [
      'a view of app with the root state',
      'src-renderer/app/NavEntry.svelte',
      "<script>import type { AppState } from './app-state.svelte.ts'</script>",
    ],
    [
      'a view with the type of the wire',
      'src-renderer/features/feed/Feed.svelte',
      "<script>import type { Wire } from '../../../src-main/contract/wire.ts'</script>",
    ],
    [
      'a view that calls',
      'src-renderer/features/feed/Feed.svelte',
      '<script>const { wire } = $props(); wire.call(1)</script>',
    ],
    ['a view that listens', 'src-renderer/features/feed/Feed.svelte', '<script>$effect(() => wire.on(1))</script>'],
    [
      'a view that hands the wire on',
      'src-renderer/features/feed/Feed.svelte',
      '<script>let x = new X(app.wire)</script>',
    ],
    ['a view that hands it to a view', 'src-renderer/features/feed/Feed.svelte', '<Row wire={x} />'],
    ['plain code that calls', 'src-renderer/features/feed/query.ts', 'void this.#wire.call(1);'],
  ])('catches %s', (_what, file, text) => {
    expect(breachesIn(file, text)).toHaveLength(1);
  });

  it.each([
    ['src-main/core/core.ts', "import { x } from '../sync/engine/types.ts'; import { y } from './wire.ts';"],
    ['src-main/sync/jobs/jobs.ts', "import { x } from '../../store/index.ts'; import '../../clients/news/client.ts';"],
    ['src-main/node/cli.ts', "import { x } from '../core/core.ts'; import { y } from '../demo/service.ts';"],
    ['src-main/demo/service.ts', "import { x } from '../common/price.ts'; import '../contract/methods.ts';"],
    ['src-main/electron/main.ts', "import { app } from 'electron'; import p from '../../package.json';"],
    ['src-main/store/database/open.ts', "import type { Database } from 'better-sqlite3'; import '../items/x.ts';"],
    ['src-renderer/features/feed/Feed.svelte', "<script lang='ts'>import { x } from './item-rows.svelte.ts';</script>"],
    ['src-renderer/features/feed/Feed.svelte', "<script>import '../topics/index.ts'; import '../../ui/x.ts';</script>"],
    [
      'src-renderer/features/feed/item-rows.svelte.ts',
      "import { x } from '../../../src-main/contract/wire.ts'; import '../../api/connect.ts'; this.#wire.call(1);",
    ],
    ['src-renderer/app/App.svelte', "<script>import './app-state.svelte.ts'; app.wire.on(1);</script>"],
    [
      'src-renderer/features/share/shared.ts',
      "import { toMarkdown } from '../../../src-main/render/outputs/markdown.ts';",
    ],
    ['src-renderer/charts/StepChart.svelte', "<script>import '../ui/text/times.ts'</script>"],
    ['src-renderer/main.ts', "import './styles/page.css'; import App from './app/App.svelte';"],
  ])('lets %s be', (file, text) => {
    expect(breachesIn(file, text)).toEqual([]);
  });

  it('is not misled by words in a comment or a text', () => {
    const text = "// import { app } from 'electron'\nexport const advice = \"import Database from 'better-sqlite3'\";";
    expect(breachesIn('src-main/core/core.ts', text)).toEqual([]);
  });

  it.each([
    ['none', { a: ['b', 'c'], b: ['c'], c: [] }, []],
    ['two files', { a: ['b'], b: ['a'] }, [['a', 'b']]],
    ['a long way round', { a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, [['b', 'c', 'd']]],
    [
      'two of them',
      { a: ['b'], b: ['a', 'c'], c: ['d'], d: ['c'] },
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a component that shows itself', { a: ['a'] }, []],
    ['what is no source file', { a: ['b'] }, []],
  ])('finds cycles: %s', (_what, imports, cycles) => {
    expect(cyclesOf(new Map(Object.entries(imports)))).toEqual(cycles);
  });

  it('counts an import of a type as one', () => {
    expect(importsOf('src-main/core/core.ts', "import type { X } from './x.ts'; type Y = import('./y.ts').Y;")).toEqual(
      ['./x.ts', './y.ts'],
    );
  });

  it.each([
    'src-main/a/some_thing.ts',
    'src-main/a/someThing.ts',
    'src-main/a/Some.ts',
    'src-renderer/a/app-bar.svelte',
  ])('finds the name of %s wrong', (file) => {
    expect(nameBreach(file)).toContain(file);
  });

  it.each([
    'src-main/a/some-thing.ts',
    'src-renderer/a/list.svelte.ts',
    'src-renderer/a/AppBar.svelte',
    'src-renderer/env.d.ts',
  ])('lets the name of %s be', (file) => {
    expect(nameBreach(file)).toBeNull();
  });
});
