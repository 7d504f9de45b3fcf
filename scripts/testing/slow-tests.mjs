/**
 * The test files that only `npm run test:all` runs: half of the time of all tests, in an eighth of the files
 * (docs/testing.md). A new file belongs here if it takes more than five seconds of a
 * processor.
 */
export const slowTests = [
  // Every screen, in a browser. The journeys through the app, the defences and the messages while offline are always
  // tested.
  'test/e2e/pictures/**',
  'test/e2e/{desktop-features,gateway-settings,hostile-content,layouts,models,packed,places}.test.ts',
  'test/e2e/{session,settings-screens,sharing}.test.ts',
  // Short forms of the fault suite: kills, damaged files, harsh services, simulated days.
  'test/scale/**',
  'test/sync/{faults,month,series}/**',
  'test/sync/schedule/{every-request,side-by-side}.test.ts',
  'test/core/{data-kill,extreme-arguments,random-kills,survival}.test.ts',
  'test/core/engine/{damage,engine-death,every-damage,sigterm,stopping}.test.ts',
  'test/core/files/damaged-files.test.ts',
  'test/store/database/{files,identity,logs}.test.ts',
  // One or several processes for each test.
  'test/electron/{data-folder,host,shell}.test.ts',
  'test/electron/desktop/desktop-integration.test.ts',
  'test/electron/security/key.test.ts',
  'test/node/{bad-folder,key-leak,obstacles,private-folder}.test.ts',
  'test/node/commands/command-line.test.ts',
  'test/scripts/{installers,lint,package,start}.test.ts',
];

/** With this variable vitest leaves them out. */
export const TESTS_VARIABLE = 'BROADSHEET_TESTS';
