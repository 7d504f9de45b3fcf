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
  tray: 'Tray and start-up',
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
  story: 'News in stories that I follow',
  models: 'Changes in the model catalogue',
};

const pollings: Record<Settings['polling'], string> = {
  usual: 'As often as usual',
  seldom: 'A quarter as often',
  byHand: 'Only when I refresh',
};

const countsAsRead: Record<Settings['countsAsRead'], string> = {
  opened: 'As soon as it is opened',
  lingered: 'When it has been open for three seconds',
  byHand: 'Only when I mark it',
};

/** What a command of the keyboard does. */
const commands: Record<ShortcutCommand, string> = {
  next: 'Next item',
  previous: 'Previous item',
  open: 'Read the original',
  star: 'Star, or remove the star',
  toggleRead: 'Mark as read or unread',
  markAllRead: 'Mark all read',
  search: 'Search',
  copyId: 'Copy a model’s id',
  help: 'List of shortcuts',
};

export const enSettings = {
  settings: {
    title: 'Settings',
    sectionsLabel: 'Sections',
    sections,
    version: (version: string) => `Broadsheet ${version}`,

    address: 'Service address',
    addressHint: 'Leave it empty for the built-in demo.',
    addressInvalid: 'Give a web address that starts with http:// or https:// and has no user name, query or fragment.',
    fromOption: 'Set by the --news option for this run.',
    fromEnvironment: 'Set by the BROADSHEET_NEWS_URL environment variable.',
    test: 'Test',
    testing: 'Asking…',
    testOk: (n: number) => count(n, 'It answers, with # recent item.', 'It answers, with # recent items.'),
    save: 'Save address',
    saved: 'Address saved',

    network: {
      title: 'Network',
      polling: 'Ask for what is new',
      pollings,
      pollingHint: 'Holds for news and models. Refreshing by hand always asks.',
      pause: 'Pause automatic updates',
      paused: 'Automatic updates are paused until you resume them.',
      pausedUntil: (when: string) => `Automatic updates are paused until ${when}.`,
      proxy: 'Proxy',
      proxies: { system: 'As the system says', none: 'No proxy', address: 'A proxy of my own' },
      proxyHint: 'The system says it by the HTTPS_PROXY and NO_PROXY variables that Broadsheet was started with.',
      proxyAddress: 'Proxy address',
      proxyAddressHint: 'Such as http://proxy.example:8080. A proxy that asks for a user name can’t be used.',
      proxySave: 'Use this proxy',
      proxySaved: 'The proxy is in use.',
    },
    notifications: {
      kinds: 'Tell me of',
      notices,
      kindsHint: 'What comes at the same time is told in one notification.',
      inBrowser: 'In this browser',
      permission: {
        default: 'This browser has not been asked yet whether Broadsheet may show notifications.',
        granted: 'This browser lets Broadsheet show notifications while its page is open.',
        denied:
          'This browser does not let Broadsheet show notifications. You can allow it beside the page’s address, in the browser’s settings for this site.',
        unsupported: 'This browser has no notifications. The history below tells the same.',
      },
      ask: 'Allow notifications…',
      quiet: 'Quiet hours',
      quietOn: 'Keep quiet at certain hours',
      quietHint: 'What comes meanwhile is held back, and told in one notification afterwards.',
      from: 'From',
      to: 'To',
      quietFrom: (from: string, to: string) => `Quiet every day from ${from} to ${to}.`,
      quietOver: (from: string, to: string) => `Quiet every day from ${from} to ${to} the next morning.`,
      quietNever: 'Both times are the same, so it is never quiet.',
      mark: 'Unread mark on tray and dock',
      marks: { none: 'None', dot: 'Dot', number: 'Number' } satisfies Record<Settings['unreadMark'], string>,
      history: 'History',
      historyHint: 'Keeps what was told, and what was not because its switch is off.',
      showHistory: 'Show the history',
    },
    tray: {
      close: 'When the window is closed',
      closes: {
        asUsual: { tray: 'As usual here: keep running in the tray', quit: 'As usual here: quit' },
        tray: 'Keep running in the tray',
        quit: 'Quit Broadsheet',
      },
      macClose: 'Broadsheet keeps running in the dock when its window is closed. Its menu quits it.',
      closeHint: 'Only while it runs can Broadsheet ask for what is new and tell you of it.',
      linuxHint:
        'Some desktops show no tray. Start Broadsheet again, and its window is back: a second one is never started.',
      startHidden: 'Start without a window',
      startHiddenHint: 'Broadsheet then waits in the tray, or in the dock.',
      startHiddenLinux: 'At login, and at every start where closing the window keeps it in the tray.',
      launchAtLogin: 'Start when I log in',
      launchAtLoginHint: 'The system may ask, or list Broadsheet among its own login items.',
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
      timeFormat: 'Clock',
      timeFormats: { system: 'System', '12h': '12 hours', '24h': '24 hours' } satisfies Record<
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
      countsAsRead: 'An item counts as read',
      ways: countsAsRead,
      keep: 'Keep items outside the selected set',
      keeps: (days: number) => count(days, '# day', '# days'),
      forEver: 'For ever',
      keepHint: 'Older ones are removed from this computer. Starred items, and the selected set, always stay.',
    },
    keyboard: {
      singleKeys: 'Single-key shortcuts',
      singleKeysHint: 'Turn this off if j, k, o and the like get in the way of a screen reader or voice control.',
      table: 'Shortcuts',
      tableHint:
        'One letter, digit or sign each, also with Shift. Ctrl, Alt and Cmd belong to the system and the browser.',
      off: 'None of these acts while single-key shortcuts are off.',
      command: 'What it does',
      key: 'Key',
      actions: 'Change',
      commands,
      none: 'none',
      change: 'Change',
      changeOf: (command: string) => `Change the key: ${command}`,
      remove: 'No key',
      removeOf: (command: string) => `No key: ${command}`,
      reset: 'Reset',
      resetOf: (command: string) => `Reset the key: ${command}`,
      resetAll: 'Reset all shortcuts',
      press: 'Press a key…',
      pressHint: 'Press the new key. Esc leaves it as it is.',
      modifier: 'Ctrl, Alt and Cmd can’t be part of a shortcut here. Press another key.',
      reserved: 'Lists and buttons need this key themselves. Press another one.',
      conflict: (key: string, holder: string) => `${key} is the key for “${holder}”.`,
      swap: 'Swap the two',
      take: 'Take it from there',
      changed: (command: string, key: string) => `${command}: ${key}`,
      changedToNone: (command: string) => `${command}: no key`,
      allReset: 'All shortcuts are the usual ones again.',
    },
    data: {
      folder: 'Data folder',
      folderHint: 'Everything that is stored, and your settings, are in this folder.',
      show: 'Show in the file manager',
      choose: 'Choose another folder…',
      chosen: (folder: string) => `From the next start on: ${folder}. What is stored is not moved there.`,
      export: 'Export and import',
      exportHint:
        'One file with all that you did and chose: stars, reads, follows, favourites, settings. Keys and the services’ texts are not in it.',
      exportAll: 'Export my data',
      exporting: 'Collecting your data…',
      exported: (name: string) => `Exported as ${name}.`,
      importFile: 'Import a file…',
      importHint: 'What is here stays; what is in the file comes to it, and wins where both say something.',
      importing: 'Reading the file…',
      imported: (taken: number, unchanged: number) =>
        `${count(taken, '# entry taken', '# entries taken')}, ${formatCount('en', unchanged)} as they were.`,
      skipped: (n: number) =>
        count(n, '# entry could not be read and was left out.', '# entries could not be read and were left out.'),
      settingsTaken: 'The settings are those of the file.',
      notReadable: 'This file is no export of Broadsheet, or is damaged. Nothing was changed.',
      backups: 'Backups',
      backupsHint:
        'Copies of all that you did: stars, reads, follows, favourites. Broadsheet also makes some by itself.',
      noBackups: 'There is no backup yet.',
      backUp: 'Back up now',
      backingUp: 'Copying…',
      backedUp: 'The backup is made.',
      restore: 'Restore',
      restoreOf: (when: string) => `Restore the backup of ${when}`,
      restoreAsk: (when: string) =>
        `Put all that you did (stars, reads, follows, favourites) back as it was ${when}? What is there now is set aside in the data folder.`,
      restoreYes: 'Restore it',
      restoring: 'Restoring…',
      restored: 'The backup is restored.',
      rebuild: 'Copy of the services',
      rebuildHint: 'If what is shown seems wrong, all of it can be thrown away and fetched anew.',
      rebuildDo: 'Rebuild the copy…',
      rebuildAsk:
        'Fetch everything anew? It takes some minutes and needs the network. Your stars, reads and all else that you did stay; items that the service no longer offers do not come back.',
      rebuildYes: 'Rebuild it',
      rebuilding: 'Rebuilding…',
      rebuilt: 'The copy is empty and is being fetched anew.',
    },
    updates: {
      look: 'Look for newer versions',
      lookHint: 'Off, it asks nobody. On, it only tells you: nothing is downloaded or installed.',
      now: 'This version',
      check: 'Look now',
      checking: 'Looking…',
      newest: 'This is the newest version.',
      newer: (version: string) => `Version ${version} is there.`,
    },
  },
};
