import { MOST_MARKS_KEYS, type MarksKey } from '../../contract/model/marks-folder.ts';
import { sampleSealed } from './folder-files.ts';
import { wrongPassphrase } from './folder-errors.ts';
import { newSalt, unseal, type DeriveKey } from './sealing.ts';

/**
 * The keys of a machine once a passphrase was entered: first the one that it writes with, then others that open what is in
 * the folder, then those that it had. Every machine takes a salt that is there already, so that usually one key opens
 * everything; machines that began at once have a salt each, and the passphrase is entered once more. Errors:
 * `marks_wrong_passphrase` if there is something that only another passphrase opens; the system's.
 */
export async function keysFor(
  folder: string,
  passphrase: string,
  held: readonly MarksKey[],
  derive: DeriveKey,
): Promise<MarksKey[]> {
  const samples = await sampleSealed(folder);
  const opens = (key: MarksKey): boolean =>
    samples.some(({ sealed, purpose }) => sealed.salt === key.salt && unseal(sealed, key, purpose) !== null);
  const heldSalts = new Set(held.map(({ salt }) => salt));
  const salts = [...new Set(samples.map(({ sealed }) => sealed.salt))];
  // Those that nothing here opens come first: they are why the passphrase is entered.
  const isLocked = (salt: string): boolean => !heldSalts.has(salt);
  const tried = [...salts.filter(isLocked), ...salts.filter((salt) => !isLocked(salt))].slice(0, MOST_MARKS_KEYS);
  const opening: MarksKey[] = [];
  for (const salt of tried) {
    const key = { salt, key: await derive(passphrase, salt) };
    if (opens(key)) opening.push(key);
  }
  if (opening.length === 0 && salts.some(isLocked)) throw wrongPassphrase();
  // It is the first passphrase, or another one: with a salt of its own.
  if (opening.length === 0) {
    const salt = newSalt();
    opening.push({ salt, key: await derive(passphrase, salt) });
  }
  opening.sort((one, other) => (one.salt < other.salt ? -1 : 1));
  return withoutDoubles([...opening, ...held]).slice(0, MOST_MARKS_KEYS);
}

function withoutDoubles(keys: readonly MarksKey[]): MarksKey[] {
  return keys.filter(({ salt, key }, at) => keys.findIndex((one) => one.salt === salt && one.key === key) === at);
}
