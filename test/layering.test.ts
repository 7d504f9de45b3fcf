import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breachOf } from './support/import-rules.ts';
import { importsOf } from './support/imports.ts';

const sourceFiles = globSync('{src-main,src-renderer}/**/*.{ts,svelte}').map((path) => path.replaceAll('\\', '/'));

function breachesIn(file: string, text: string): string[] {
  return importsOf(file, text).flatMap((specifier) => {
    const breach = breachOf(file, specifier);
    return breach === null ? [] : [`${file} names ${specifier}: ${breach}`];
  });
}

describe('the import rule', () => {
  it('finds the sources', () => {
    expect(sourceFiles).toContain('src-main/contract/api.ts');
  });

  it('is kept by every source file', () => {
    expect(sourceFiles.flatMap((file) => breachesIn(file, readFileSync(file, 'utf8')))).toEqual([]);
  });
});

describe('the check itself', () => {
  it.each([
    ['a lower room reaching up', 'src-main/store/items/items-table.ts', "import { x } from '../sync/steps.ts';"],
    ['two rooms of one level', 'src-main/clients/news/client.ts', "import { x } from '../store/items.ts';"],
    ['a handler reaching for the core', 'src-main/handlers/items.ts', "import { x } from '../core/core.ts';"],
    ['a host passing the core by', 'src-main/node/serve.ts', "import { x } from '../store/items.ts';"],
    ['one host in the other', 'src-main/electron/main.ts', "import { x } from '../node/server.ts';"],
    ['the contract importing the house', 'src-main/contract/api.ts', "import { x } from '../store/items.ts';"],
    ['the demo using the real client', 'src-main/demo/service.ts', "import { x } from '../clients/http.ts';"],
    ['the core starting the demo', 'src-main/core/core.ts', "import { x } from '../demo/service.ts';"],
    ['the preload reaching for the core', 'src-main/preload/preload.ts', "import { x } from '../core/core.ts';"],
    [
      'the main side importing the page',
      'src-main/core/core.ts',
      "import { x } from '../../src-renderer/ui/text/times.ts';",
    ],
    ['a file in no room', 'src-main/misc/things.ts', "import { x } from '../contract/api.ts';"],
    ['a source importing a test', 'src-main/core/core.ts', "import { x } from '../../test/support/clock.ts';"],
    ['electron outside of its rooms', 'src-main/core/core.ts', "import { app } from 'electron';"],
    ['a part of electron', 'src-main/core/core.ts', "import { app } from 'electron/main';"],
    ['electron-store in the core', 'src-main/core/settings/settings.ts', "import Store from 'electron-store';"],
    ['better-sqlite3 outside of the store', 'src-main/sync/jobs/jobs.ts', "import Database from 'better-sqlite3';"],
    ['a type alone', 'src-main/sync/jobs/jobs.ts', "import type { Database } from 'better-sqlite3';"],
    ['a type in passing', 'src-main/sync/jobs/jobs.ts', "type D = import('better-sqlite3').Database;"],
    ['a re-export', 'src-main/store/items/items-table.ts', "export * from '../sync/steps.ts';"],
    ['a late import', 'src-main/store/items/items-table.ts', "const x = await import('../sync/steps.ts');"],
    ['a require', 'src-main/core/core.ts', "const e = require('electron');"],
    [
      'a worker by its address',
      'src-main/store/items/items-table.ts',
      "new URL('../core/engine_worker.ts', import.meta.url);",
    ],
    ["Node's modules in the contract", 'src-main/contract/api.ts', "import { join } from 'node:path';"],
    ["Node's modules in the page", 'src-renderer/ui/text/times.ts', "import { join } from 'path';"],
    ['the page reaching past the contract', 'src-renderer/api/wire.ts', "import x from '../../src-main/core/core.ts';"],
    ['a view calling the wire', 'src-renderer/views/List.svelte', "<script>import x from '../api/wire.ts';</script>"],
    [
      'a component with state',
      'src-renderer/components/Row.svelte',
      "<script>import x from '../state/list.ts'</script>",
    ],
    ['state knowing a view', 'src-renderer/features/feed/list.svelte.ts', "import x from '../views/List.svelte';"],
    ['lib knowing state', 'src-renderer/ui/text/times.ts', "import x from '../state/list.svelte.ts';"],
  ])('catches %s', (_what, file, text) => {
    expect(breachesIn(file, text)).toHaveLength(1);
  });

  it.each([
    ['src-main/core/core.ts', "import { x } from '../handlers/items.ts'; import { y } from './dispatch.ts';"],
    ['src-main/sync/jobs/jobs.ts', "import { x } from '../store/items.ts'; import { y } from '../clients/news.ts';"],
    ['src-main/node/serve.ts', "import { x } from '../core/core.ts'; import { y } from '../demo/service.ts';"],
    ['src-main/electron/main.ts', "import { app } from 'electron'; import p from '../../package.json';"],
    ['src-main/store/migrations/0001.ts', "import type { Database } from 'better-sqlite3'; import '../open.ts';"],
    ['src-renderer/views/List.svelte', "<script lang='ts'>import { x } from '../state/list.svelte.ts';</script>"],
    [
      'src-renderer/features/feed/list.svelte.ts',
      "import { x } from '../../src-main/contract/api.ts'; import '../api/wire.ts';",
    ],
    ['src-renderer/main.ts', "import './styles/page.css'; import App from './views/App.svelte';"],
  ])('lets %s be', (file, text) => {
    expect(breachesIn(file, text)).toEqual([]);
  });

  it('is not misled by words in a comment or a text', () => {
    const text = "// import { app } from 'electron'\nexport const advice = \"import Database from 'better-sqlite3'\";";
    expect(breachesIn('src-main/core/core.ts', text)).toEqual([]);
  });
});
