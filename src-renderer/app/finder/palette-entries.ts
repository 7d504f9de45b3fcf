import {
  categories as categoryNames,
  categoryName,
  reportKinds,
  reportName,
  settingsKeyboardCommands,
} from '../../../src-main/common/i18n/labels.ts';
import { SETTING_TEXTS, settingsSections } from '../../../src-main/common/i18n/settings-texts.ts';
import { getLocale, type InLocale, type Locale } from '../../../src-main/common/i18n/locale.ts';
import { m } from '../../../src-main/common/i18n/messages.ts';
import { oneLine } from '../../../src-main/common/text.ts';
import { KNOWN_CATEGORIES } from '../../../src-main/contract/model/item.ts';
import { SETTINGS, SETTINGS_SECTIONS } from '../../../src-main/contract/settings.ts';
import type { ViewId } from '../../ui/page-context.ts';
import type { PaletteEntry, PaletteGroup, Recent } from '../../features/palette/index.ts';
import {
  GO_COMMANDS,
  isGo,
  keysOf,
  SHORTCUT_COMMANDS,
  type Command,
  type GoCommand,
} from '../../features/settings/index.ts';
import { language } from '../../ui/language.svelte.ts';
import type { AppState } from '../app-state.svelte.ts';

export interface PaletteCommands {
  commands: Record<Command, () => void>;
  goCommands: Record<GoCommand, () => void>;
  /** Shows a list of the feed and gives it the focus. */
  goFeed: (view: ViewId) => void;
}

type Named = (by: InLocale) => string;

const LOCALES: readonly Locale[] = ['en', 'zh-CN'];
const LONGEST_TITLE = 200;

/**
 * Returns the entries of the palette: recently opened, views, sources by name, saved searches, categories, commands and
 * settings.
 */
export function paletteEntries(
  app: AppState,
  keyboard: PaletteCommands,
  sourceNames: readonly string[],
): PaletteEntry[] {
  return [
    ...recents(app),
    ...views(app, keyboard),
    ...sources(keyboard, sourceNames),
    ...saved(app, keyboard),
    ...categories(app, keyboard),
    ...commands(app, keyboard),
    ...settings(app),
  ];
}

function entry(
  group: PaletteGroup,
  id: string,
  name: Named,
  run: () => void,
  keys: readonly string[] = [],
): PaletteEntry {
  const own = getLocale();
  const others = LOCALES.filter((locale) => locale !== own).map((locale) => name({ locale }));
  return { id: `${group}-${id}`, group, name: name({ locale: own }), otherNames: others, keys, run };
}

function recents(app: AppState): PaletteEntry[] {
  return app.recents.shown.map((recent, at) => {
    const title = oneLine(titleOf(recent), LONGEST_TITLE);
    return entry(
      'recent',
      String(at),
      () => title,
      () => void app.navigation.goTo(recent.target),
    );
  });
}

function titleOf({ target, title }: Recent): string {
  if (target.view !== 'report') return title;
  const name = reportName(target.kind, target.label, language.dateLocale, 'long');
  return `${reportKinds[target.kind]()} · ${name}`;
}

function views(app: AppState, { goCommands, goFeed }: PaletteCommands): PaletteEntry[] {
  const own = GO_COMMANDS.map((command) =>
    entry(
      'views',
      command,
      (by) => settingsKeyboardCommands[command]({}, by),
      goCommands[command],
      keysOf(app.settings.keys, command),
    ),
  );
  const muted = entry(
    'views',
    'muted',
    (by) => m.views_muted({}, by),
    () => goFeed({ kind: 'muted' }),
  );
  return [...own, muted];
}

/** Names of sources are the same in every language. */
function sources({ goFeed }: PaletteCommands, names: readonly string[]): PaletteEntry[] {
  return names.map((name, at) => ({
    ...{ id: `sources-${String(at)}`, group: 'sources', name: oneLine(name, LONGEST_TITLE), otherNames: [], keys: [] },
    run: () => goFeed({ kind: 'source', source: name }),
  }));
}

function saved(app: AppState, { goFeed }: PaletteCommands): PaletteEntry[] {
  return app.rules.searches.map(({ id, name }) =>
    entry(
      'saved',
      id,
      () => name,
      () => goFeed({ kind: 'saved', id }),
    ),
  );
}

function categories(app: AppState, { goFeed }: PaletteCommands): PaletteEntry[] {
  const stored = app.counts?.categories.flatMap(({ category }) => category ?? []) ?? [];
  return [...new Set<string>([...KNOWN_CATEGORIES, ...stored])].map((category, at) =>
    entry(
      'categories',
      String(at),
      (by) => m.palette_category({ category: nameOf(category, by) }, by),
      () => goFeed({ kind: 'category', category }),
    ),
  );
}

function nameOf(category: string, by: InLocale): string {
  return Object.hasOwn(categoryNames, category) ? categoryNames[category as 'paper']({}, by) : categoryName(category);
}

function listening({ listening, listenTo }: AppState): PaletteEntry[] {
  if (!listening.isOffered) return [];
  return [
    entry('commands', 'listen-daily', (by) => m.listen_daily({}, by), listenTo.daily),
    entry('commands', 'listen-unread', (by) => m.listen_unread({}, by), listenTo.unread),
  ];
}

function commands(app: AppState, { commands: keyCommands }: PaletteCommands): PaletteEntry[] {
  const own = SHORTCUT_COMMANDS.flatMap((command) => {
    if (command === 'palette' || command === 'go' || isGo(command)) return [];
    const run = keyCommands[command];
    const name: Named = (by) => settingsKeyboardCommands[command]({}, by);
    return [entry('commands', command, name, run, keysOf(app.settings.keys, command))];
  });
  const { sync, toasts } = app;
  const pause = sync.pause
    ? entry(
        'commands',
        'resume',
        (by) => m.sync_pause_resume({}, by),
        () => void toasts.complainIfFailed(m.sync_pause_resume_failed(), sync.resume()),
      )
    : entry(
        'commands',
        'pause',
        (by) => m.sync_pause_open({}, by),
        () => void toasts.complainIfFailed(m.sync_pause_failed(), sync.pauseUntil(null)),
      );
  return [
    ...own,
    entry(
      'commands',
      'refresh',
      (by) => m.sync_refresh({}, by),
      () => void sync.refresh(),
    ),
    pause,
    ...listening(app),
    entry(
      'commands',
      'online',
      (by) => m.online_search_open({}, by),
      () => app.navigation.searchOnline(''),
    ),
    entry(
      'commands',
      'notifications',
      (by) => m.notifications_title({}, by),
      () => (app.panel = 'notifications'),
    ),
    entry(
      'commands',
      'health',
      (by) => m.sync_status_title({}, by),
      () => (app.panel = 'health'),
    ),
    entry(
      'commands',
      'changes',
      (by) => m.palette_model_changes({}, by),
      () => void app.navigation.goTo({ view: 'modelChanges' }),
    ),
    entry(
      'commands',
      'export',
      (by) => m.report_export({}, by),
      () => {
        if (app.views.current !== 'feed') app.navigation.showView('archive');
        app.panel = 'export';
      },
    ),
    entry(
      'commands',
      'guide',
      (by) => m.guide_open({}, by),
      () => (app.panel = 'guide'),
    ),
    entry(
      'commands',
      'welcome',
      (by) => m.welcome_open({}, by),
      () => (app.panel = 'welcome'),
    ),
  ];
}

function settings(app: AppState): PaletteEntry[] {
  const save = (patch: Parameters<typeof app.settings.set>[0]): void =>
    void app.toasts.complainIfFailed(m.failure_settings_failed(), app.settings.set(patch));
  const sections = SETTINGS_SECTIONS.map((section) =>
    entry(
      'settings',
      section,
      (by) => m.palette_setting({ section: settingsSections[section]({}, by) }, by),
      () => app.openSettings(section),
    ),
  );
  const themes = SETTINGS.theme.shape.options.map((theme) =>
    entry(
      'settings',
      `theme-${theme}`,
      (by) => m.palette_theme({ theme: SETTING_TEXTS.theme.choices[theme]({}, by) }, by),
      () => save({ theme }),
    ),
  );
  const densities = SETTINGS.density.shape.options.map((density) =>
    entry(
      'settings',
      `density-${density}`,
      (by) => m.palette_density({ density: SETTING_TEXTS.density.choices[density]({}, by) }, by),
      () => save({ density }),
    ),
  );
  const fold = entry(
    'settings',
    'fold',
    (by) => m.list_fold({}, by),
    () => save({ foldStories: !app.settings.current.foldStories }),
  );
  const service = entry('settings', 'service', (by) => m.welcome_connect_label({}, by), app.connection.openSettings);
  return [...sections, service, ...themes, ...densities, fold];
}
