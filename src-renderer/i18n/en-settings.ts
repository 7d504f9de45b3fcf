import type { NotificationKind } from '../../src-main/contract/model/notification.ts';
import type { Settings } from '../../src-main/contract/settings.ts';
import type { SettingsSection } from '../features/settings/settings-sections.ts';
import type { ShortcutCommand } from '../app/shortcuts.ts';
import { formatCount, plural } from './plural.ts';

const count = (n: number, one: string, other: string): string => plural('en', n, { one, other });

const sections: Record<SettingsSection, string> = {
  news: 'News service',
  models: 'Models',
  notifications: 'Notifications',
  tray: 'Tray and startup',
  appearance: 'Appearance',
  reading: 'Reading',
  keyboard: 'Keyboard',
  data: 'Data',
  updates: 'Updates',
};

const notices: Record<NotificationKind, string> = {
  daily: 'A new daily report',
  weekly: 'A new weekly report',
  monthly: 'A new monthly report',
  story: 'Updates to stories I follow',
  models: 'Changes in the model catalogue',
};

const pollings: Record<Settings['polling'], string> = {
  usual: 'Normally',
  seldom: 'Less often (¼)',
  byHand: 'Only when I refresh',
};

const countsAsRead: Record<Settings['countsAsRead'], string> = {
  opened: 'When opened',
  lingered: 'After 3 seconds',
  byHand: 'Only by me',
};

/** What a command of the keyboard does. */
const commands: Record<ShortcutCommand, string> = {
  next: 'Next item',
  previous: 'Previous item',
  open: 'Read original',
  star: 'Add or remove star',
  toggleRead: 'Mark as read or unread',
  markAllRead: 'Mark all as read',
  search: 'Search',
  copyId: 'Copy model ID',
  help: 'Show shortcuts',
};

export const enSettings = {
  settings: {
    title: 'Settings',
    sectionsLabel: 'Sections',
    sections,
    version: (version: string) => `Broadsheet ${version}`,

    address: 'Service address',
    addressHint: 'Leave empty for the built-in demo.',
    addressInvalid: 'Enter a web address that starts with http:// or https://, without a user name, query or fragment.',
    fromOption: 'Set by the --news option for this session.',
    fromEnvironment: 'Set by the BROADSHEET_NEWS_URL environment variable.',
    test: 'Test',
    testing: 'Testing…',
    testOk: (n: number) => count(n, 'Connected. # recent item.', 'Connected. # recent items.'),
    save: 'Save address',
    saved: 'Address saved',

    network: {
      title: 'Network',
      polling: 'Check for news',
      pollings,
      pollingHint: 'Applies to news and models. You can always refresh manually.',
      pause: 'Pause automatic updates',
      paused: 'Automatic updates are paused until you resume them.',
      pausedUntil: (when: string) => `Automatic updates are paused until ${when}.`,
      proxy: 'Proxy',
      proxies: { system: 'Use system proxy', none: 'No proxy', address: 'Custom proxy' },
      proxyHint: 'From HTTPS_PROXY and NO_PROXY.',
      proxyAddress: 'Proxy address',
      proxyAddressHint: 'For example http://proxy.example:8080. Proxies that require a user name aren’t supported.',
      proxySave: 'Use proxy',
      proxySaved: 'Proxy saved.',
    },
    notifications: {
      kinds: 'Notify me about',
      notices,
      kindsHint: 'Simultaneous updates share one notification.',
      inBrowser: 'In this browser',
      permission: {
        default: 'Broadsheet needs your permission to show notifications in this browser.',
        granted: 'Notifications are allowed while Broadsheet is open in this browser.',
        denied:
          'This browser blocks notifications from Broadsheet. Allow them in the site settings next to the address bar.',
        unsupported: 'This browser doesn’t support notifications. See the history below instead.',
      },
      ask: 'Allow notifications…',
      quiet: 'Quiet hours',
      quietOn: 'Turn on quiet hours',
      quietHint: 'Notifications during quiet hours are combined into one afterwards.',
      from: 'From',
      to: 'To',
      quietFrom: (from: string, to: string) => `Every day from ${from} to ${to}.`,
      quietOver: (from: string, to: string) => `Every day from ${from} to ${to} the next day.`,
      quietNever: 'Both times are the same, so quiet hours never start.',
      mark: 'Unread badge on the tray and dock icon',
      marks: { none: 'None', dot: 'Dot', number: 'Number' } satisfies Record<Settings['unreadMark'], string>,
      history: 'History',
      historyHint: 'Shows past notifications, including those of kinds you turned off.',
      showHistory: 'Show history',
    },
    tray: {
      close: 'When I close the window',
      closes: {
        asUsual: { tray: 'System default (keep running in the tray)', quit: 'System default (quit)' },
        tray: 'Keep running in the tray',
        quit: 'Quit Broadsheet',
      },
      macClose: 'Broadsheet keeps running in the Dock when you close its window. Quit it from its menu.',
      closeHint: 'Broadsheet can only check for news and notify you while it is running.',
      linuxHint:
        'Some desktops have no tray. To get the window back, start Broadsheet again; only one copy runs at a time.',
      startHidden: 'Start with the window hidden',
      startHiddenHint: 'Open Broadsheet from the tray or the Dock.',
      startHiddenLinux: 'Applies at login, and to every start if closing the window keeps Broadsheet in the tray.',
      launchAtLogin: 'Start when I log in',
      launchAtLoginHint: 'Your system may ask for permission or list Broadsheet under its login items.',
    },
    appearance: {
      theme: 'Theme',
      themes: { system: 'System', light: 'Light', dark: 'Dark' } satisfies Record<Settings['theme'], string>,
      font: 'Reading font',
      fonts: { serif: 'Serif', sans: 'Sans-serif' } satisfies Record<Settings['font'], string>,
      textSize: 'Text size',
      percent: (n: number) => `${formatCount('en', n)}%`,
      density: 'List density',
      densities: { comfortable: 'Comfortable', compact: 'Compact' } satisfies Record<Settings['density'], string>,
      timeFormat: 'Time format',
      timeFormats: { system: 'System', '12h': '12-hour', '24h': '24-hour' } satisfies Record<
        Settings['timeFormat'],
        string
      >,
      sample: (time: string) => `For example: ${time}`,
      language: 'Language',
      languages: { system: 'System', en: 'English', 'zh-CN': '简体中文' } satisfies Record<
        Settings['language'],
        string
      >,
    },
    reading: {
      countsAsRead: 'Mark as read',
      ways: countsAsRead,
      keep: 'Keep items that aren’t in Selected',
      keeps: (days: number) => count(days, '# day', '# days'),
      forEver: 'Forever',
      keepHint: 'Older items are removed from this computer. Starred items and items in Selected are never removed.',
    },
    keyboard: {
      singleKeys: 'Single-key shortcuts',
      singleKeysHint: 'Turn this off if keys such as j, k and o interfere with a screen reader or voice control.',
      table: 'Shortcuts',
      tableHint: 'Single keys, optionally with Shift.',
      off: 'These shortcuts do nothing while single-key shortcuts are off.',
      command: 'Action',
      key: 'Key',
      actions: 'Change',
      commands,
      none: 'None',
      change: 'Change',
      changeOf: (command: string) => `Change shortcut: ${command}`,
      remove: 'Clear',
      removeOf: (command: string) => `Clear shortcut: ${command}`,
      reset: 'Reset',
      resetOf: (command: string) => `Reset shortcut: ${command}`,
      resetAll: 'Reset all shortcuts',
      press: 'Press a key…',
      pressHint: 'Press the new key, or Esc to cancel.',
      modifier: 'Shortcuts can’t include Ctrl, Alt or Cmd. Press another key.',
      reserved: 'This key is reserved for lists and buttons. Press another key.',
      conflict: (key: string, holder: string) => `${key} is already used for “${holder}”.`,
      swap: 'Swap keys',
      take: 'Use it here instead',
      changed: (command: string, key: string) => `${command}: ${key}`,
      changedToNone: (command: string) => `${command}: no shortcut`,
      allReset: 'All shortcuts reset.',
    },
    data: {
      folder: 'Data folder',
      folderHint: 'This folder holds all saved news, your data and your settings.',
      show: 'Show in file manager',
      choose: 'Choose another folder…',
      chosen: (folder: string) => `Broadsheet will use ${folder} from the next start. Existing data isn’t moved.`,
      export: 'Export and import',
      exportHint:
        'Saves your stars, read status, followed stories, favourites and settings in one file. API keys and news texts aren’t included.',
      exportAll: 'Export my data',
      exporting: 'Exporting…',
      exported: (name: string) => `Exported as ${name}.`,
      importFile: 'Import file…',
      importHint: 'Merges the file into your data. Where they differ, the file wins.',
      importing: 'Importing…',
      imported: (taken: number, unchanged: number) =>
        `${count(taken, '# entry imported', '# entries imported')}, ${formatCount('en', unchanged)} unchanged.`,
      skipped: (n: number) => count(n, '# unreadable entry was skipped.', '# unreadable entries were skipped.'),
      settingsTaken: 'Settings were imported too.',
      notReadable: 'This isn’t a Broadsheet export file, or it is damaged. Nothing was changed.',
      backups: 'Backups',
      backupsHint:
        'Copies of your stars, read status, followed stories and favourites. Broadsheet also backs them up automatically.',
      noBackups: 'No backups yet.',
      backUp: 'Back up now',
      backingUp: 'Backing up…',
      backedUp: 'Backup complete.',
      restore: 'Restore',
      restoreOf: (when: string) => `Restore the backup from ${when}`,
      restoreAsk: (when: string) =>
        `Restore your stars, read status, followed stories and favourites from ${when}? Your current data stays in the data folder as a copy.`,
      restoreYes: 'Restore backup',
      restoring: 'Restoring…',
      restored: 'Backup restored.',
      rebuild: 'Downloaded news',
      rebuildHint: 'If something looks wrong, delete all downloaded news and download it again.',
      rebuildDo: 'Download again…',
      rebuildAsk:
        'Download everything again? This takes a few minutes and needs a connection. Your stars, read status and other data are not affected; items no longer available online are lost.',
      rebuildYes: 'Delete and download',
      rebuilding: 'Deleting downloaded news…',
      rebuilt: 'Downloaded news was deleted and is being downloaded again.',
    },
    updates: {
      look: 'Check for new versions',
      lookHint: 'Tells you about new versions; never downloads by itself.',
      now: 'Current version',
      check: 'Check now',
      checking: 'Checking…',
      newest: 'Broadsheet is up to date.',
      newer: (version: string) => `Version ${version} is available.`,
    },
  },
};
