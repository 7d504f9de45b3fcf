// Deliberate breaks of what keeps data whole, one for each promise, with the tests that have to notice it.

export interface Mutant {
  /** Describes the break. */
  name: string;
  file: string;
  /** Occurs once in the file, and is replaced. */
  code: string;
  by: string;
  /** Test files of which one has to fail. */
  caughtBy: string[];
}

const CHANGES = 'test/sync/jobs/changes-order.test.ts';
const SELECTED = 'test/sync/jobs/selected.test.ts';
const ATOMIC = 'test/core/files/power-failure.test.ts';
const FOLDER = 'test/sync/devices/power-failure.test.ts';
const PRAGMAS = 'test/store/database/durability.test.ts';
const IMPORT = 'test/sync/engine/data-methods.test.ts';

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the cursor is saved before its changes',
    file: 'src-main/sync/jobs/selected.ts',
    code: '    context.write((tx) => {\n      if (anyUnreadable)',
    by: '    context.write((tx) => tx.selectedSet.advance(cursor));\n    context.write((tx) => {\n      if (anyUnreadable)',
    caughtBy: [CHANGES],
  },
  {
    name: 'user.db is not flushed at the end of a transaction',
    file: 'src-main/store/database/connection.ts',
    code: "origin === 'kept' ? 'FULL'",
    by: "origin === 'kept' ? 'OFF'",
    caughtBy: [PRAGMAS],
  },
  {
    name: 'a file that is written atomically is not flushed',
    file: 'src-main/core/files/atomic-write.ts',
    code: 'if (!isThere) await handle.sync();',
    by: '',
    caughtBy: [ATOMIC],
  },
  {
    name: 'a small file that is written atomically is not flushed',
    file: 'src-main/core/files/atomic-write.ts',
    code: 'fsyncSync(handle);',
    by: '',
    caughtBy: [ATOMIC],
  },
  {
    name: 'a file of the shared folder is not flushed',
    file: 'src-main/sync/devices/own-files.ts',
    code: 'await handle.sync();',
    by: '',
    caughtBy: [FOLDER],
  },
  {
    name: 'records count as written before they are',
    file: 'src-main/sync/devices/exchange.ts',
    code: '        await files.append(records);\n',
    by: '        store.transaction(({ devices }) => devices.confirmTold(last));\n        await files.append(records);\n',
    caughtBy: [FOLDER],
  },
  {
    name: 'the name of a file that is written atomically is not flushed',
    file: 'src-main/core/files/atomic-write.ts',
    code: 'await flushFolder(dirname(file));',
    by: '',
    caughtBy: [ATOMIC],
  },
  {
    name: 'the name of a new file of the shared folder is not flushed',
    file: 'src-main/sync/devices/own-files.ts',
    code: 'if (continued === null) await files.flush();',
    by: '',
    caughtBy: [FOLDER],
  },
  {
    name: 'files of the shared folder are removed before the one that replaces them is flushed',
    file: 'src-main/sync/devices/own-files.ts',
    code: '      await this.#writeLines(parts,',
    by: '      await removeUnchanged(own, files);\n      await this.#writeLines(parts,',
    caughtBy: [FOLDER],
  },
  {
    name: 'the mirror forgets its order of writes',
    file: 'src-main/store/database/connection.ts',
    code: "'FULL' : 'NORMAL'",
    by: "'FULL' : 'OFF'",
    caughtBy: [PRAGMAS],
  },
  {
    name: 'databases have no write-ahead log',
    file: 'src-main/store/database/connection.ts',
    code: 'schemaOf(role)}.journal_mode = WAL',
    by: 'schemaOf(role)}.journal_mode = MEMORY',
    caughtBy: [PRAGMAS],
  },
  {
    name: 'the validator of a page is kept for the next page',
    file: 'src-main/sync/jobs/selected.ts',
    code: 'page.cursor === from ? validator : null',
    by: 'validator',
    caughtBy: [CHANGES],
  },
  {
    name: 'the first of several changes of an item counts',
    file: 'src-main/sync/jobs/selected.ts',
    code: 'for (const change of changes) last.set',
    by: 'for (const change of changes.toReversed()) last.set',
    caughtBy: [SELECTED],
  },
  {
    name: 'changes before a failed page are forgotten',
    file: 'src-main/sync/jobs/selected.ts',
    code: '    changes.save();\n  }\n}',
    by: '  }\n  changes.save();\n}',
    caughtBy: [SELECTED],
  },
  {
    name: 'an import is saved part by part',
    file: 'src-main/sync/engine/user-data-methods.ts',
    code: 'const result = store.transaction(({ userData }) => userData.take(records));',
    by: `const result = { taken: 0, unchanged: 0, skipped: 0 };
      for (let at = 0; at < records.length; at += 1000) {
        const part = records.slice(at, at + 1000);
        result.taken += store.transaction(({ userData }) => userData.take(part)).taken;
      }`,
    caughtBy: [IMPORT],
  },
];
