import { readFileSync } from 'node:fs';
import type { Configuration } from 'electron-builder';
import { leftOut } from './scripts/packaging/packages.mjs';

const { env } = process;
const lock = JSON.parse(readFileSync(new URL('./package-lock.json', import.meta.url), 'utf8'));

/** Where the installed app looks for newer versions. Not set: nowhere, and the setting for it is not shown. */
const updateFeed = env['BROADSHEET_UPDATE_FEED'];
if (updateFeed && URL.parse(updateFeed)?.protocol !== 'https:') {
  throw new Error('BROADSHEET_UPDATE_FEED has to be an https address: what comes from there is run.');
}

// docs/packaging.md tells what an installer carries and why; test/scripts/installers.test.ts packs one and looks.
const config: Configuration = {
  // As in src-main/electron/identity.ts: the systems tie notifications, badges and login items to these names.
  appId: 'app.broadsheet',
  productName: 'Broadsheet',
  copyright: 'Copyright © 2026 The Broadsheet authors',
  executableName: 'broadsheet',
  // Packages name no person. A distributor gives an address of its own; `.invalid` is reserved for there being none.
  extraMetadata: { homepage: env['BROADSHEET_HOMEPAGE'] ?? 'https://broadsheet.invalid/' },
  // There are no resources for packing beside the icons, which are named below; the packer leaves out the folder named here.
  directories: { output: 'installers', buildResources: 'resources/installers' },

  files: [
    'out/**',
    '!out/.stamp',
    '!**/*.map',
    'resources/icons/512.png',
    'resources/tray/*.png',
    'resources/licences.txt',
    ...leftOut(lock).map((path) => `!${path}{,/**}`),
    // Of better-sqlite3 its code and the one compiled module for the system that is packed for.
    '!node_modules/better-sqlite3/{deps,src}{,/**}',
    '!node_modules/better-sqlite3/binding.gyp',
    '!node_modules/better-sqlite3/prebuilds/!(${platform}-${arch}).node',
    '!**/*.{md,markdown,ts,mts,cts,flow}',
    '!**/{test,tests,__tests__,docs,example,examples,bench,benchmark}{,/**}',
    '!node_modules/**/{bower.json,component.json,.github,.eslintrc*,.npmignore}{,/**}',
  ],
  asar: { smartUnpack: false },
  // The system loads it from the disk itself.
  asarUnpack: ['node_modules/better-sqlite3/prebuilds/*.node'],
  // Every package comes compiled for every system: nothing is built here.
  npmRebuild: false,
  electronLanguages: ['en', 'en-US', 'zh-CN'],
  compression: 'normal',

  electronFuses: {
    // The binary is Broadsheet and nothing else: no Node for whoever can set a variable or pass an argument ...
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    // ... and no code but the one that was packed.
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
    // There are no cookies. Should there ever be some, the keychain seals them.
    enableCookieEncryption: true,
    // The page has a scheme of its own; file: needs no rights.
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
    // The fuses end macOS's signature of an unsigned build, which Apple's processors insist on.
    resetAdHocDarwinSignature: true,
  },

  protocols: [{ name: 'Broadsheet', schemes: ['broadsheet'] }],
  publish: updateFeed ? { provider: 'generic', url: updateFeed } : null,

  linux: {
    target: ['AppImage', 'deb'],
    category: 'News',
    icon: 'resources/icons',
    synopsis: 'Reader for AI news and models, also offline',
    maintainer: env['BROADSHEET_MAINTAINER'] ?? 'The Broadsheet authors <nobody@broadsheet.invalid>',
  },
  deb: { packageCategory: 'news' },
  mac: {
    // A build for each processor: a universal one would carry every compiled module twice.
    target: [{ target: 'dmg', arch: ['x64', 'arm64'] }],
    category: 'public.app-category.news',
    icon: 'resources/icons/1024.png',
    hardenedRuntime: true,
  },
  win: { target: ['nsis'], icon: 'resources/icons/1024.png' },
  // For the one who installs it, without an administrator; their data outlives it.
  nsis: { oneClick: false, perMachine: false, deleteAppDataOnUninstall: false },
};

export default config;
