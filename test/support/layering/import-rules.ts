import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

type FolderRules = Readonly<Record<string, readonly string[]>>;

/** Which folders of src-main a folder may import, beside itself, `contract` and `common`. */
export const mainFolders: FolderRules = {
  contract: [],
  common: [],
  render: [],
  clients: [],
  store: [],
  sync: ['store', 'clients'],
  core: ['render', 'sync', 'store', 'clients'],
  demo: [],
  mcp: ['render'],
  node: ['core', 'demo', 'mcp', 'render'],
  electron: ['core', 'demo'],
  preload: [],
};

/**
 * Which folders of src-renderer a folder may import, beside itself; '' is the files beside the folders, where the page
 * starts. All of them may import `contract`, `common` and `render` of src-main.
 */
export const rendererFolders: FolderRules = {
  '': ['app', 'api', 'styles'],
  app: ['features', 'charts', 'ui', 'api', 'styles'],
  features: ['charts', 'ui', 'api'],
  charts: ['ui'],
  ui: ['api'],
  api: [],
  public: [],
  styles: [],
};

/** Packages that only some folders may name, types included. */
const guardedPackages: FolderRules = {
  electron: ['src-main/electron', 'src-main/preload'],
  'electron-store': ['src-main/electron'],
  'better-sqlite3': ['src-main/store'],
  '@modelcontextprotocol/server': ['src-main/mcp'],
};

/** Folders that also run in a page, where Node's modules do not exist. */
const inPage = ['src-main/contract', 'src-main/common', 'src-main/render', 'src-main/preload', 'src-renderer'];

/** The only file of the store that others import. */
const STORE = 'src-main/store/index.ts';
const ROOT_STATE = 'src-renderer/app/app-state.svelte.ts';
const WIRE = 'src-main/contract/wire.ts';
/** Live answers and their rows, which components use, too. */
const ANSWERS = ['src-renderer/api/live.ts', 'src-renderer/api/pages.ts'];
/** Shared with `npm start`, which runs before anything is built. */
const OPENING = 'scripts/setup/open-privately.mjs';
/** Components that put the page together; every other one takes contexts and narrow props. */
const ROOT_COMPONENTS = [
  ...['App', 'Banners', 'HelpDialog', 'OwnWindow', 'Page', 'Panels', 'Sidebar'],
  ...['views/Feed', 'views/VisitedViews'],
].map((name) => `src-renderer/app/${name}.svelte`);

/** Describes a wrong place of a file: every folder at the top has a line in the tables above. */
export function folderNameBreach(file: string): string | null {
  const place = placeOf(file);
  const folders = place.side === 'src-main' ? mainFolders : rendererFolders;
  return Object.hasOwn(folders, place.folder) ? null : `${file}: ${nameOf(place)} is no folder of the app`;
}

interface Place {
  side: string;
  folder: string;
  /** Under `features`: which one. */
  feature: string;
}

/** Where a file is; `path` is relative to the project, with slashes. */
function placeOf(path: string): Place {
  const [side = '', folder = '', feature = '', ...rest] = path.split('/');
  const inFolder = feature !== '';
  return {
    side,
    folder: inFolder ? folder : '',
    feature: folder === 'features' && rest.length > 0 ? feature : '',
  };
}

function nameOf({ side, folder }: Place): string {
  return folder === '' ? side : `${side}/${folder}`;
}

function packageOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function packageBreach(from: Place, specifier: string): string | null {
  const folder = nameOf(from);
  const allowed = guardedPackages[packageOf(specifier)];
  if (allowed && !allowed.includes(folder)) return `only ${allowed.join(' and ')} may name ${packageOf(specifier)}`;
  // "electron" counts as built in where a test runs inside it.
  if (!allowed && isBuiltin(specifier) && inPage.some((page) => folder === page || from.side === page)) {
    return `${folder} also runs in a page: it may not use Node's ${specifier}`;
  }
  return null;
}

function isShared({ side, folder }: Place): boolean {
  return side === 'src-main' && (folder === 'contract' || folder === 'common');
}

/** Checks if a folder may import another one, by the table of its side. */
function folderBreach(from: Place, to: Place, folders: FolderRules): string | null {
  const allowed = folders[from.folder];
  if (!allowed) return `${nameOf(from)} is no folder of the app`;
  const isRendering = nameOf(to) === 'src-main/render' && from.side === 'src-renderer';
  const mayShare = (isShared(to) || isRendering) && nameOf(from) !== 'src-main/contract';
  const isNear = to.side === from.side && (to.folder === from.folder || allowed.includes(to.folder));
  return mayShare || isNear ? null : `${nameOf(from)} may not import ${nameOf(to)}`;
}

function mainBreach(from: Place, target: string): string | null {
  const to = placeOf(target);
  const breach = folderBreach(from, to, mainFolders);
  if (breach !== null || to.folder !== 'store' || from.folder === 'store' || target === STORE) return breach;
  return `${STORE} is the only file of the store that others import`;
}

/** A class that holds the state of a part of the page. */
function isState(file: string): boolean {
  return file.endsWith('.svelte.ts');
}

function rendererBreach(file: string, target: string): string | null {
  const from = placeOf(file);
  const to = placeOf(target);
  if (target === ROOT_STATE && file.endsWith('.svelte')) {
    return ROOT_COMPONENTS.includes(file) ? null : 'a view takes narrow props, never the root state';
  }
  if (target === WIRE) return wireBreach(file);
  const breach = folderBreach(from, to, rendererFolders);
  if (breach !== null) return breach;
  if (to.folder === 'api' && from.folder === 'features' && !isState(file) && !ANSWERS.includes(target)) {
    return 'only state classes (*.svelte.ts) and app import more of api than live answers';
  }
  const isOther = to.feature !== '' && from.feature !== '' && to.feature !== from.feature;
  if (isOther && target !== `src-renderer/features/${to.feature}/index.ts`) {
    return `another feature is imported through features/${to.feature}/index.ts only`;
  }
  return null;
}

/** Why a file of the page may not use the wire, or null where it may. */
export function wireBreach(file: string): string | null {
  const { folder } = placeOf(file);
  const isRoot = folder === '' || folder === 'api' || ROOT_COMPONENTS.includes(file);
  const isPlainOfApp = folder === 'app' && !file.endsWith('.svelte');
  return isRoot || isPlainOfApp || isState(file) ? null : 'only state classes (*.svelte.ts) and the root use the wire';
}

/**
 * Returns true for a file outside of the source folders that source files may name; a host names the built page in
 * order to serve it.
 */
function isShippedFile(path: string): boolean {
  return path === OPENING || path === 'package.json' || path.startsWith('resources/') || path.startsWith('out/');
}

/** The file that a relative import of `file` names. */
export function targetOf(file: string, specifier: string): string {
  return posix.join(posix.dirname(file), specifier.replace(/\?.*$/, ''));
}

/**
 * Why a file may not import what it names, or null where it may. The rule is the one of the architecture:
 * `electron`, `node` -> `core` -> `sync`, `render`; `sync` -> `store`, `clients`; in the page `app` -> `features` -> `charts`,
 * `ui`. Everyone may import `contract` and `common`.
 *
 * @param file the importing file, relative to the project, with slashes
 * @param specifier what stands in the import
 */
export function breachOf(file: string, specifier: string): string | null {
  const from = placeOf(file);
  if (!specifier.startsWith('.')) return packageBreach(from, specifier);
  const target = targetOf(file, specifier);
  if (isShippedFile(target)) return null;
  return from.side === 'src-main' ? mainBreach(from, target) : rendererBreach(file, target);
}
