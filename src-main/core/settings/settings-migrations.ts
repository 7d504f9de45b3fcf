type Members = Readonly<Record<string, unknown>>;
/** Brings the members of a settings file from one version to the next. They are unchecked: people edit files. */
type Migration = (members: Members) => Members;

/**
 * The first one brings version 1 to version 2, and so on. Append only, and only where a member comes to mean something else: a
 * new one needs no migration, for what is missing has its default.
 */
const SETTINGS_MIGRATIONS: readonly Migration[] = [];

export const SETTINGS_VERSION = SETTINGS_MIGRATIONS.length + 1;

/** What a settings file holds, as this version means it; as it is where a newer one wrote it. Without a number it is version 1. */
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
