/**
 * @typedef {object} Part
 * @property {string} name for `--only`
 * @property {string} what is done to Broadsheet, for a reader of docs/faults.md
 * @property {string} holds what must hold
 * @property {readonly string[]} tests files, or folders that end in a slash
 * @property {'main' | 'e2e'} project of vitest
 * @property {number} limitMinutes after which the part fails
 */

/** @type {readonly Part[]} */
export const parts = [
  {
    name: 'kills',
    what: 'Killed (SIGKILL) at random moments of a first download, changes, backfill, models, export, import, restore, rebuild, settings, marks, saved searches, mutes and notes',
    holds: 'no confirmed user row lost, next sync equal to the service, sound files',
    tests: [
      'test/core/random-kills.test.ts',
      'test/core/data-kill.test.ts',
      'test/core/survival.test.ts',
      'test/sync/faults/random-kills.test.ts',
      'test/sync/faults/kill.test.ts',
      'test/sync/faults/model-lists-kill.test.ts',
      'test/sync/faults/crash.test.ts',
      'test/core/engine/engine-death.test.ts',
    ],
    project: 'main',
    limitMinutes: 20,
  },
  {
    name: 'answers',
    what: 'Wrong answers: JSON, types, sizes, encodings, headers, status codes, redirects, well-formed nonsense',
    holds: 'no crash, no hang, no defect in the log, no user row lost; syncs again afterwards',
    tests: [
      'test/sync/faults/hostile.test.ts',
      'test/sync/faults/faults.test.ts',
      'test/sync/faults/harsh.test.ts',
      'test/clients/',
    ],
    project: 'main',
    limitMinutes: 15,
  },
  {
    name: 'arguments',
    what: 'Every method of the contract with random and extreme arguments, and restarts in between',
    holds: 'each call is answered, none with an internal error; the app works afterwards',
    tests: ['test/core/extreme-arguments.test.ts', 'test/contract/'],
    project: 'main',
    limitMinutes: 15,
  },
  {
    name: 'files',
    what: 'Each file truncated, flipped, zeroed, replaced, exchanged, from a newer version, or not a file; each kind of page of each database flipped, overwritten, zeroed, exchanged, or with another text',
    holds:
      'set aside, told and rebuilt; nothing is wrong without a word, apart from texts; user.db never overwritten, its latest sound backup offered',
    tests: [
      'test/core/engine/every-damage.test.ts',
      'test/core/engine/damage.test.ts',
      'test/core/engine/unreadable-rows.test.ts',
      'test/core/settings/',
      'test/store/database/',
    ],
    project: 'main',
    limitMinutes: 20,
  },
  {
    name: 'computer',
    what: 'Disk full, at random moments of a download too, folder read-only, database locked by another program, no file handles left',
    holds: 'a message that says what to do; continues when the cause is gone',
    tests: [
      'test/sync/faults/disk-full.test.ts',
      'test/node/bad-folder.test.ts',
      'test/node/obstacles.test.ts',
      'test/node/short-of-resources.test.ts',
      'test/node/retry-while-in-use.test.ts',
      'test/node/broken-output.test.ts',
      'test/core/files/',
    ],
    project: 'main',
    limitMinutes: 5,
  },
  {
    name: 'clocks',
    what: 'Clock set back and forward, time zone changed, three days of sleep, in random order; a simulated month',
    holds: 'no burst, no starvation, no notification twice',
    tests: [
      'test/sync/schedule/',
      'test/sync/notifications/',
      'test/sync/engine/clock-ahead.test.ts',
      'test/sync/month/month.test.ts',
    ],
    project: 'main',
    limitMinutes: 15,
  },
  {
    name: 'instances',
    what: 'Two Node hosts, and a Node host and the desktop app, on one data folder',
    holds: 'the second one says so and changes nothing; the first one continues',
    tests: [
      'test/hosts/two-instances.test.ts',
      'test/store/database/files.test.ts',
      'test/core/engine/reopening.test.ts',
    ],
    project: 'main',
    limitMinutes: 5,
  },
  {
    name: 'one-failure',
    what: 'One story, edition, item or model that always fails',
    holds: 'all others are synced; the failing one is retried at its own pace',
    tests: ['test/sync/jobs/one-failure.test.ts', 'test/sync/jobs/stories.test.ts', 'test/sync/jobs/reports.test.ts'],
    project: 'main',
    limitMinutes: 5,
  },
  {
    name: 'implausible',
    what: 'Well-formed and implausible answers: empty snapshots and model lists, many labels, odd dates',
    holds: 'nothing removed before it is confirmed; bounded work; told in data health',
    tests: [
      'test/sync/jobs/contradictions.test.ts',
      'test/sync/jobs/documents.test.ts',
      'test/sync/jobs/odd-index.test.ts',
      'test/sync/jobs/model-lists.test.ts',
      'test/sync/jobs/reconciliation.test.ts',
      'test/store/models/',
    ],
    project: 'main',
    limitMinutes: 5,
  },
  {
    name: 'stopping',
    what: 'Stopped (SIGTERM, logged out, the window closed) while it downloads, indexes, imports, exports, restores, rebuilds, checks, backs up, marks or saves settings',
    holds: 'ended within 2 s, files whole, level with the service after the next sync',
    tests: [
      'test/core/engine/sigterm.test.ts',
      'test/core/engine/stopping.test.ts',
      'test/core/engine/check-stopped.test.ts',
      'test/electron/quit.test.ts',
    ],
    project: 'main',
    limitMinutes: 10,
  },
  {
    name: 'series',
    what: 'Random series of changes at the service and actions of a reader',
    holds: 'lists, counts and searches equal those of a naive mirror after each; logs of the databases stay small',
    tests: ['test/sync/series/series.test.ts', 'test/store/database/logs.test.ts', 'test/store/search/'],
    project: 'main',
    limitMinutes: 15,
  },
  {
    name: 'attackers',
    what: 'Local attackers of the page: forged Host and Origin, no key, traversal, large bodies, many connections; hostile texts',
    holds: 'refused; the app keeps answering its own page; content is shown as text',
    tests: ['test/node/server/', 'test/node/key-leak.test.ts', 'test/electron/security/', 'test/common/'],
    project: 'main',
    limitMinutes: 5,
  },
  {
    name: 'shared-folder',
    what: 'The shared folder written by an attacker: links, pipes, devices, huge files and lines, deep nesting, impossible stamps, plain lines beside encrypted ones, names, floods, files exchanged while they are used',
    holds:
      'the records of other devices arrive, nothing outside the folder changes, each refusal is told; bounded time, memory and user.db',
    tests: ['test/sync/devices/hostile-folder.test.ts', 'test/sync/devices/safe-folder.test.ts'],
    project: 'main',
    limitMinutes: 10,
  },
  {
    name: 'content',
    what: "Markup, scripts, script addresses, bidi controls and huge words in all texts of the service and of the reader's notes and searches, in every view, in Chromium",
    holds: 'no script, dialog, request to another host or violation of the policy; no layout of unbounded width',
    tests: ['test/e2e/hostile-content.test.ts'],
    project: 'e2e',
    limitMinutes: 10,
  },
];
