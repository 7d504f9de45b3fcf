import { readFileSync } from 'node:fs';
import type { Configuration } from 'electron-builder';
import { leftOut } from './scripts/packaging/packages.mjs';

const { env } = process;
const lock = JSON.parse(readFileSync(new URL('./package-lock.json', import.meta.url), 'utf8'));

/** Where the installed app checks for updates. If not set, it does not check and hides the setting. */
const updateFeed = env['BROADSHEET_UPDATE_FEED'];
if (updateFeed && URL.parse(updateFeed)?.protocol !== 'https:') {
  throw new Error('BROADSHEET_UPDATE_FEED must be an https address, because code is downloaded from it.');
}

// docs/packaging.md explains the contents of an installer; test/scripts/installers.test.ts checks them.
const config: Configuration = {
  // Must match src-main/electron/identity.ts: notifications, badges and login items depend on these names.
  appId: 'app.broadsheet',
  productName: 'Broadsheet',
  copyright: 'Copyright © 2026 The Broadsheet authors',
  executableName: 'broadsheet',
  // Distributors set their own address. `.invalid` is reserved for addresses that do not exist.
  extraMetadata: { homepage: env['BROADSHEET_HOMEPAGE'] ?? 'https://broadsheet.invalid/' },
  // There are no build resources except the icons below. electron-builder excludes the folder named here.
  directories: { output: 'installers', buildResources: 'resources/installers' },

  files: [
    'out/**',
    '!out/.stamp',
    // The command line is not in the installers.
    '!out/node',
    '!**/*.map',
    'resources/icons/512.png',
    'resources/tray/*.png',
    'resources/licences.txt',
    ...leftOut(lock).map((path) => `!${path}{,/**}`),
    // From better-sqlite3, only its code and the compiled module for the target system.
    '!node_modules/better-sqlite3/{deps,src}{,/**}',
    '!node_modules/better-sqlite3/binding.gyp',
    '!node_modules/better-sqlite3/prebuilds/!(${platform}-${arch}).node',
    '!**/*.{md,markdown,ts,mts,cts,flow}',
    '!**/{test,tests,__tests__,docs,example,examples,bench,benchmark}{,/**}',
    '!node_modules/**/{bower.json,component.json,.github,.eslintrc*,.npmignore}{,/**}',
  ],
  asar: { smartUnpack: false },
  // The system loads them from disk.
  asarUnpack: ['node_modules/better-sqlite3/prebuilds/*.node', 'resources/icons/512.png'],
  // All native modules come prebuilt.
  npmRebuild: false,
  electronLanguages: ['en', 'en-US', 'zh-CN'],
  compression: 'normal',

  electronFuses: {
    // The binary cannot be used as Node by setting a variable or passing an argument ...
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    // ... and runs only the packed code.
    onlyLoadAppFromAsar: true,
    enableEmbeddedAsarIntegrityValidation: true,
    // There are no cookies, and the keychain, which some systems unlock with a question, would be opened at every start.
    enableCookieEncryption: false,
    // The page has its own scheme, so file: needs no privileges.
    grantFileProtocolExtraPrivileges: false,
    loadBrowserProcessSpecificV8Snapshot: false,
    // Changing the fuses invalidates the ad-hoc signature, which Apple silicon requires.
    resetAdHocDarwinSignature: true,
  },

  protocols: [{ name: 'Broadsheet', schemes: ['broadsheet'] }],
  publish: updateFeed ? { provider: 'generic', url: updateFeed } : null,

  linux: {
    target: ['AppImage', 'deb', 'rpm'],
    // Menus have no place for News alone.
    category: 'Network;News',
    icon: 'resources/icons',
    // The desktop file is named after `desktopName` in package.json, by which desktops match windows to it.
    syncDesktopName: true,
    synopsis: 'Reader for AI news and models, online and offline',
    maintainer: env['BROADSHEET_MAINTAINER'] ?? 'The Broadsheet authors <nobody@broadsheet.invalid>',
  },
  // Its static runtime needs no FUSE 2, which Ubuntu 24.04, Debian 13 and Fedora no longer have.
  toolsets: { appimage: '1.0.3' },
  // The older toolset would write --no-sandbox into the desktop file.
  appImage: { executableArgs: [] },
  // electron-builder's own lists leave out the two that Electron loads for sound and pictures.
  deb: {
    packageCategory: 'news',
    depends: [
      ...['libasound2t64 | libasound2', 'libgbm1', 'libgtk-3-0', 'libnotify4', 'libnss3', 'libxss1', 'libxtst6'],
      ...['xdg-utils', 'libatspi2.0-0', 'libuuid1', 'libsecret-1-0'],
    ],
    afterRemove: 'resources/installers/after-remove.sh',
  },
  rpm: {
    // By the names of libraries, which are the same in all distributions.
    depends: [
      ...['libasound.so.2', 'libatspi.so.0', 'libgbm.so.1', 'libgtk-3.so.0', 'libnotify.so.4', 'libnss3.so'],
      'libsecret-1.so.0',
    ]
      .map((library) => `${library}()(64bit)`)
      .concat('xdg-utils'),
    afterRemove: 'resources/installers/after-remove.sh',
    // Otherwise only files are the package's, and the folders stay.
    fpm: ['--directories=/opt/Broadsheet'],
  },
  mac: {
    // One build per architecture: a universal one would contain every native module twice.
    target: [{ target: 'dmg', arch: ['x64', 'arm64'] }],
    category: 'public.app-category.news',
    icon: 'resources/icons/1024.png',
    // For whoever signs; without a certificate nothing is signed, and neither applies.
    hardenedRuntime: true,
    entitlements: 'resources/installers/entitlements.mac.plist',
    entitlementsInherit: 'resources/installers/entitlements.mac.plist',
  },
  win: { target: ['nsis'], icon: 'resources/icons/1024.png' },
  nsis: {
    // Only with one click nobody is asked who it is for: "all users" needs an administrator.
    oneClick: true,
    perMachine: false,
    // Uninstalling keeps the data, but not what the app registered.
    deleteAppDataOnUninstall: false,
    include: 'resources/installers/installer.nsh',
  },
};

export default config;
