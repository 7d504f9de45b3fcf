import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

type FolderRules = Readonly<Record<string, readonly string[]>>;

/** Which rooms of src-main a room may import, beside itself. */
const mainFolders: FolderRules = {
  contract: [],
  common: ['contract'],
  clients: ['contract', 'common'],
  store: ['contract', 'common'],
  sync: ['contract', 'common', 'store', 'clients'],
  handlers: ['contract', 'common', 'sync', 'store', 'clients'],
  core: ['contract', 'common', 'handlers', 'sync', 'store', 'clients'],
  demo: ['contract', 'common'],
  node: ['contract', 'common', 'core', 'demo'],
  electron: ['contract', 'common', 'core', 'demo'],
  preload: ['contract'],
};

/** Which rooms of src-renderer a room may import, beside itself; '' is the files beside the rooms, where the page starts. */
const rendererFolders: FolderRules = {
  '': ['api', 'state', 'views', 'components', 'lib', 'i18n', 'styles'],
  views: ['state', 'components', 'lib', 'i18n'],
  state: ['api', 'lib', 'i18n'],
  components: ['lib', 'i18n'],
  api: ['lib', 'i18n'],
  lib: ['i18n'],
  i18n: ['lib'],
  styles: [],
};

/** Packages that only some rooms may name, types included. */
const guardedPackages: FolderRules = {
  electron: ['src-main/electron', 'src-main/preload'],
  'electron-store': ['src-main/electron'],
  'better-sqlite3': ['src-main/store'],
};

/** Folders that also run in a page, where Node's modules do not exist. */
const inPage = ['src-main/contract', 'src-main/common', 'src-main/preload', 'src-renderer'];

interface Place {
  side: string;
  room: string;
}

/** Where a file stands; `path` is relative to the project, with slashes. */
function placeOf(path: string): Place {
  const [side = '', room = '', ...rest] = path.split('/');
  return { side, room: rest.length > 0 ? room : '' };
}

function nameOf({ side, room }: Place): string {
  return room === '' ? side : `${side}/${room}`;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function packageBreach(from: Place, specifier: string): string | null {
  const room = nameOf(from);
  const allowed = guardedPackages[packageOf(specifier)];
  if (allowed && !allowed.includes(room)) return `only ${allowed.join(' and ')} may name ${packageOf(specifier)}`;
  // "electron" counts as built in where a test runs inside it.
  if (!allowed && isBuiltin(specifier) && inPage.some((page) => room === page || from.side === page)) {
    return `${room} also runs in a page: it may not use Node's ${specifier}`;
  }
  return null;
}

function mainBreach(from: Place, to: Place): string | null {
  const allowed = mainFolders[from.room];
  if (!allowed) return `${nameOf(from)} is no room of the app`;
  if (to.side === from.side && (to.room === from.room || allowed.includes(to.room))) return null;
  return `${nameOf(from)} may not import ${nameOf(to)}`;
}

function rendererBreach(from: Place, to: Place): string | null {
  if (['src-main/contract', 'src-main/common'].includes(nameOf(to))) return null;
  const allowed = rendererFolders[from.room];
  if (!allowed) return `${nameOf(from)} is no room of the page`;
  if (to.side === from.side && (to.room === from.room || allowed.includes(to.room))) return null;
  return `${nameOf(from)} may not import ${nameOf(to)}`;
}

/** What a source file may name outside of the source folders; a host names the built page in order to serve it. */
function isShippedFile(path: string): boolean {
  return path === 'package.json' || path.startsWith('resources/') || path.startsWith('out/');
}

/**
 * Why a file may not import what it names, or null where it may. The rule is the one of the architecture:
 * `electron`, `node` -> `core` -> `handlers` -> `sync` -> `store`, `clients`; everyone may import `contract`.
 *
 * @param file the importing file, relative to the project, with slashes
 * @param specifier what stands in the import
 */
export function breachOf(file: string, specifier: string): string | null {
  const from = placeOf(file);
  if (!specifier.startsWith('.')) return packageBreach(from, specifier);
  const target = posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ''));
  if (isShippedFile(target)) return null;
  return from.side === 'src-main' ? mainBreach(from, placeOf(target)) : rendererBreach(from, placeOf(target));
}
