type Members = Readonly<Record<string, unknown>>;
/** Migrates the members of a settings file to the next version. They are not validated: people edit files. */
type Migration = (members: Members) => Members;

/**
 * The first one migrates version 1 to version 2, and so on. Append only, and only if the meaning of a member changes: a
 * new member needs no migration, because missing ones have defaults.
 */
const SETTINGS_MIGRATIONS: readonly Migration[] = [];

export const SETTINGS_VERSION = SETTINGS_MIGRATIONS.length + 1;

/**
 * Migrates a settings file to this version. Files of newer versions stay unchanged; without a number it is version 1.
 */
export function migrateSettings(
  stored: object,
  migrations: readonly Migration[] = SETTINGS_MIGRATIONS,
): { members: Members; isNewer: boolean } {
  const members = stored as Members;
  const version = versionOf(members);
  const isNewer = version > migrations.length + 1;
  return { members: migrations.slice(version - 1).reduce((result, migrate) => migrate(result), members), isNewer };
}

function versionOf({ version }: Members): number {
  return typeof version === 'number' && Number.isSafeInteger(version) && version >= 1 ? version : 1;
}
