import type { Database as Connection } from 'better-sqlite3';
import { FILES, fileOf, ROLES, schemaOf, type Role } from './databases.ts';
import { damagedError, isCorruption, mayBeDamage } from './errors.ts';
import { addMarker, corruptionMarker } from './files.ts';
import { contentState, isSound } from './identity.ts';
import { markForCheck } from './stored-json.ts';

const standIns = new WeakMap<Connection, Role[]>();

const examined = new WeakSet<Connection>();

/**
 * Call it with every error of a connection, and throw what it returns. Examines all files, because the error names none: about a
 * second for 100,000 items, so only once for errors that a mistake in a statement may cause, too.
 */
export function noteDamage(thrown: unknown, database: Connection): unknown {
  if (!mayBeDamage(thrown)) return thrown;
  if (!isCorruption(thrown)) {
    const missing = standInsOf(database);
    if (missing.length > 0) return damagedError(namesOf(missing), thrown, 'is missing or damaged');
    if (examined.has(database)) return thrown;
    examined.add(database);
  }
  const found = ROLES.filter((role) => fileOf(database, role) !== '' && !isWhole(database, role));
  for (const role of found) markReplaceable(role, fileOf(database, role));
  if (found.every((role) => FILES[role].origin === 'kept')) markForCheck(database);
  return found.length === 0 ? thrown : damagedError(namesOf(found), thrown);
}

/** Counts a file that another program has locked as whole: the next start examines it. */
function isWhole(database: Connection, role: Role): boolean {
  try {
    return contentState(database, role, schemaOf(role)) === 'usable' && isSound(database, schemaOf(role));
  } catch (error) {
    return !mayBeDamage(error);
  }
}

/** Has the next start set a damaged file aside, which it finds out about user.db by itself. */
export function markReplaceable(role: Role, file: string): void {
  if (file !== '' && FILES[role].origin !== 'kept') addMarker(corruptionMarker(file));
}

function namesOf(roles: readonly Role[]): string[] {
  return roles.map((role) => FILES[role].name);
}

export function canBeSpared(role: Role): boolean {
  return FILES[role].origin === 'derived';
}

/** Attaches an empty database for a connection that reads: statements then fail with an error that names the file. */
export function standInFor(database: Connection, role: Role): void {
  const schema = schemaOf(role);
  if (fileOf(database, role) !== '') database.exec(`DETACH DATABASE ${schema}`);
  database.exec(`ATTACH DATABASE ':memory:' AS ${schema}`);
  standIns.set(database, [...standInsOf(database), role]);
}

export function standInsOf(database: Connection): readonly Role[] {
  return standIns.get(database) ?? [];
}
