import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  dataFolderOf,
  defaultDataFolder,
  folderProblem,
  rememberFolder,
  checkNewFolder,
} from '../../../src-main/core/files/data-folder.ts';
import { temporaryFolder } from '../../support/folders.ts';
import { openTestStore } from '../../support/store.ts';

function code(wanted: string): Error {
  return expect.objectContaining({ code: wanted }) as Error;
}

/** An environment whose usual folder is one of this test's. */
function somewhere() {
  const home = temporaryFolder();
  // The variable of each platform.
  const environment = { XDG_DATA_HOME: home, APPDATA: home };
  const usual = defaultDataFolder(environment, 'linux');
  return { environment, usual, place: join(usual, 'data-folder.json') };
}

describe.skipIf(process.platform !== 'linux')('a data folder that the user chose', () => {
  it('is used from then on, until the default is chosen again', async () => {
    const { environment, usual, place } = somewhere();
    expect(dataFolderOf(undefined, environment)).toBe(usual);
    const chosen = temporaryFolder();
    await rememberFolder(chosen, environment);
    expect(dataFolderOf(undefined, environment)).toBe(chosen);
    expect(folderProblem(undefined, environment)).toBeNull();
    await rememberFolder(usual, environment);
    expect(dataFolderOf(undefined, environment)).toBe(usual);
    expect(existsSync(place)).toBe(false);
  });

  it('is not used if an option or the environment names another one', async () => {
    const { environment } = somewhere();
    await rememberFolder(temporaryFolder(), environment);
    expect(dataFolderOf('/named', environment)).toBe('/named');
    const named = { ...environment, BROADSHEET_DATA: '/of-the-environment' };
    expect(dataFolderOf(undefined, named)).toBe('/of-the-environment');
    for (const [option, variables] of [
      ['/named', environment],
      [undefined, named],
    ] as const)
      expect(folderProblem(option, variables)).toBeNull();
    expect(dataFolderOf(undefined, { ...environment, BROADSHEET_DATA: '' })).toBe(dataFolderOf(undefined, environment));
  });

  it('that does not exist stops the start with an error, and is not created', async () => {
    const { environment } = somewhere();
    const chosen = join(temporaryFolder(), 'disk');
    await rememberFolder(chosen, environment);
    const problem = folderProblem(undefined, environment);
    expect(problem).toMatchObject({ code: 'data_unreadable', retryable: true });
    expect(problem?.message).toContain(chosen);
    expect(problem?.message).toContain('data-folder.json');
    expect(existsSync(chosen)).toBe(false);
    mkdirSync(chosen);
    expect(folderProblem(undefined, environment)).toBeNull();
    expect(dataFolderOf(undefined, environment)).toBe(chosen);
  });

  it.each(['', '{', '7', '{"folder": 7}', '{"folder": "relative/path"}', '{}'])(
    'in a file with %j is reported as a problem, and the file stays',
    (text) => {
      const { environment, usual, place } = somewhere();
      mkdirSync(usual, { recursive: true });
      writeFileSync(place, text);
      expect(folderProblem(undefined, environment)).toMatchObject({ code: 'data_unreadable' });
      expect(readFileSync(place, 'utf8')).toBe(text);
    },
  );

  it('that cannot be saved is reported', async () => {
    const { environment, usual } = somewhere();
    mkdirSync(join(usual, 'data-folder.json', 'in the way'), { recursive: true });
    await expect(rememberFolder('/somewhere', environment)).rejects.toThrow();
  });
});

describe('a new data folder', () => {
  const present = '/present';

  it('may be an empty one, and is not changed', () => {
    const folder = temporaryFolder();
    checkNewFolder(folder, present);
    expect(readdirSync(folder)).toEqual([]);
    writeFileSync(join(folder, '.DS_Store'), '');
    checkNewFolder(folder, present);
  });

  it("may be one of Broadsheet's that is not in use, or the current one", () => {
    const folder = temporaryFolder();
    const writer = openTestStore({ folder });
    expect(() => checkNewFolder(folder, present)).toThrow(code('data_in_use'));
    expect(() => checkNewFolder(`${folder}/.`, folder)).not.toThrow();
    writer.close();
    const before = readdirSync(folder);
    checkNewFolder(folder, present);
    expect(readdirSync(folder)).toEqual(before);
  });

  it('must exist, without other files', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'holiday.jpg'), '');
    expect(() => checkNewFolder(folder, present)).toThrow(code('invalid_argument'));
    expect(readdirSync(folder)).toEqual(['holiday.jpg']);
    rmSync(folder, { recursive: true });
    expect(() => checkNewFolder(folder, present)).toThrow(code('data_read_only'));
  });

  // Whoever may do anything may also write there.
  it.skipIf(process.getuid?.() === 0)('must be writable', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o555);
    expect(() => checkNewFolder(folder, present)).toThrow(code('data_read_only'));
  });
});
