import { describe, expect, it } from 'vitest';
import { explainEnd, signalOf } from '../../scripts/setup/electron/end.mjs';

type End = Parameters<typeof explainEnd>[0];

const dist = '/home/a/b/node_modules/electron/dist';
const ended: End = {
  program: `${dist}/electron`,
  code: null,
  signal: null,
  output: '',
  startsEmpty: false,
  helper: 'not-setuid',
  forbidsNamespaces: false,
};
const explain = (end: Partial<End>) => explainEnd({ ...ended, ...end });

// As Chromium prints it; older versions write only the name of the file.
const SUID =
  "[4711:1122/061500.123456:FATAL:sandbox/linux/suid/client/setuid_sandbox_host.cc:166] The SUID sandbox helper binary was found, but is not configured correctly. Rather than run without sandboxing I'm aborting now.";
const NONE =
  '[1:1122/0:FATAL:zygote_host_impl_linux.cc(132)] No usable sandbox! If you are running on Ubuntu 23.10+ or another Linux distro';
const MOVED = 'Failed to move to new namespace: PID namespaces supported, but failed: errno = Operation not permitted';

describe('an Electron without its sandbox', () => {
  it.each([
    ['the helper has no rights', SUID, 'SIGTRAP'],
    ['neither kind works', NONE, 'SIGTRAP'],
    ['AppArmor takes the rights away later', MOVED, 'SIGABRT'],
  ] as const)('is known by what it prints: %s', (_what, output, signal) => {
    const { kind, reason, advice } = explain({ output, signal });
    expect({ kind, reason }).toEqual({ kind: 'sandbox', reason: 'this system does not let Electron use its sandbox' });
    expect(advice.slice(-2)).toEqual([
      `  sudo chown root:root ${dist}/chrome-sandbox`,
      `  sudo chmod 4755 ${dist}/chrome-sandbox`,
    ]);
  });

  it('is assumed without a word of it, if the system forbids both kinds', () => {
    expect(explain({ signal: 'SIGTRAP', forbidsNamespaces: true }).kind).toBe('sandbox');
    expect(explain({ code: 133, forbidsNamespaces: true }).kind).toBe('sandbox');
    expect(explain({ signal: 'SIGTRAP', forbidsNamespaces: true, startsEmpty: true }).kind).toBe('crash');
    expect(explain({ signal: 'SIGTRAP', forbidsNamespaces: true, helper: 'usable' }).kind).toBe('crash');
    expect(explain({ signal: 'SIGTRAP' }).kind).toBe('crash');
  });

  it('never gets the advice to run without one', () => {
    for (const helper of ['usable', 'not-setuid', 'missing'] as const)
      expect(JSON.stringify(explain({ output: NONE, signal: 'SIGTRAP', helper }))).not.toContain('no-sandbox');
  });

  it('is not told to change a helper that is missing, or that has its rights already', () => {
    expect(explain({ output: NONE, helper: 'missing' }).advice).toEqual([
      `${dist}/chrome-sandbox is missing. Delete ${dist}, and \`npm start\` downloads Electron again.`,
    ]);
    expect(explain({ output: SUID, helper: 'usable' }).advice.join(' ')).toContain('nosuid');
  });

  it('has commands that a shell reads as one path', () => {
    const { advice } = explain({ output: SUID, program: "/home/a/my app's $(id)/electron" });
    expect(advice.at(-1)).toBe(String.raw`  sudo chmod 4755 '/home/a/my app'\''s $(id)/chrome-sandbox'`);
  });
});

describe('an Electron without a library', () => {
  it.each([
    ['electron: error while loading shared libraries: libnss3.so: cannot open shared object file', 127, 'libnss3.so'],
    ['dyld[1]: Library not loaded: @rpath/Squirrel.framework/Squirrel', 134, '@rpath/Squirrel.framework/Squirrel'],
  ])('%s', (output, code, name) => {
    expect(explain({ output, code })).toMatchObject({ kind: 'library', reason: `the library ${name} is missing` });
  });

  it('is known by its exit status', () => {
    expect(explain({ code: 127 })).toMatchObject({ kind: 'library', reason: 'a library of the system is missing' });
    const windows = explain({ code: 0xc0000135 });
    expect(windows).toMatchObject({ kind: 'library', reason: 'a library of the system is missing' });
    expect(windows.advice.join()).toContain('Media Feature Pack');
    expect(explain({ code: 127 }).advice.join('\n')).toMatch(/sudo apt install .*libnss3/);
  });

  it('may need a newer system', () => {
    const output = "electron: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by electron)";
    expect(explain({ output, code: 1 })).toMatchObject({
      kind: 'library',
      reason: 'this system is too old for Electron: it has no GLIBC_2.34',
    });
  });
});

describe('any other end of Electron', () => {
  it.each([
    [
      'a display that is gone',
      { code: 1, output: 'Missing X server or $DISPLAY' },
      'display',
      'the display does not answer',
    ],
    ['a crash', { signal: 'SIGSEGV' }, 'crash', 'Electron crashed with SIGSEGV'],
    ['a crash under a shell', { code: 139 }, 'crash', 'Electron crashed with SIGSEGV'],
    ['a crash on Windows', { code: 0xc0000005 }, 'crash', 'Electron crashed with 0xc0000005'],
    ['a broken file', { code: 1, output: 'Error: spawn EACCES' }, 'crash', 'Electron does not start, exit status 1'],
    ['the app itself', { code: 1, startsEmpty: true }, 'app', 'the app ended while it started, exit status 1'],
  ] as const)('is told apart: %s', (_what, end, kind, reason) => {
    const explanation = explain(end);
    expect(explanation).toMatchObject({ kind, reason });
    expect(explanation.advice.join('').length).toBeGreaterThan(30);
  });

  it('is not told to delete the Electron of somebody else', () => {
    const advice = explain({ signal: 'SIGSEGV', program: '/opt/electron/electron' }).advice.join(' ');
    expect(advice).toContain('Install the Electron in /opt/electron again.');
    expect(advice).not.toContain('Delete');
  });

  it('has a signal, if a status of a shell stands for one', () => {
    expect([0, 1, 127, 128, 133, 255].map((code) => signalOf({ code, signal: null }))).toEqual([
      null,
      null,
      null,
      null,
      'SIGTRAP',
      null,
    ]);
  });
});
