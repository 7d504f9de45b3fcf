import type { NotificationKind as NoticeKind } from '../contract/model/notification.ts';
import type { Settings } from '../contract/settings.ts';
import { en } from './en.ts';
import { zh } from './zh.ts';

export type HostLocale = 'en' | 'zh-CN';

/** What a host says outside of the page. Texts of the service are put into these sentences as they are. */
export interface HostWords {
  locale: HostLocale;
  appName: string;
  tray: {
    open: string;
    latestDaily: string;
    refresh: string;
    pause: string;
    pauseHour: string;
    pauseUntilTomorrow: string;
    resume: string;
    quietHours(from: string, to: string): string;
    settings: string;
    quit: string;
    unread(n: number): string;
    isUnread: string;
  };
  /** The state of sync; `when` is a time in the reader's own way of writing it. */
  sync: {
    starting: string;
    /** The stored files could not be opened: the page says why. */
    broken: string;
    never: string;
    running: string;
    upToDate(when: string): string;
    offline: string;
    offlineSince(when: string): string;
    failed: string;
    paused: string;
    pausedUntil(when: string): string;
  };
  notice: NoticeWords;
  menu: {
    settings: string;
    go: string;
    back: string;
    news: string;
    latestDaily: string;
    modelChanges: string;
    notices: string;
    search: string;
    refresh: string;
    print: string;
    savePdf: string;
    help: string;
    shortcuts: string;
    showDataFolder: string;
    checkForUpdates: string;
    hotTopics: string;
    stories: string;
    archive: string;
    models: string;
    export: string;
    dataHealth: string;
    about: string;
    quit: string;
    /** The system's own menus and entries: Electron words them in English only. */
    file: string;
    edit: string;
    view: string;
    window: string;
    hide: string;
    hideOthers: string;
    showAll: string;
    services: string;
    undo: string;
    redo: string;
    cut: string;
    copy: string;
    paste: string;
    delete: string;
    selectAll: string;
    actualSize: string;
    zoomIn: string;
    zoomOut: string;
    fullScreen: string;
    minimize: string;
    zoomWindow: string;
    closeWindow: string;
    allToFront: string;
  };
  contextMenu: {
    copyLink: string;
    openLink: string;
    copyCitation: string;
    /** `text` is a piece of the selection. */
    lookUp(text: string): string;
  };
  dialog: {
    chooseDataFolder: string;
    chooseDataFolderButton: string;
    pageGone: string;
    pageGoneDetail: string;
    defect: string;
    defectDetail: string;
    restart: string;
    goOn: string;
    quit: string;
    pageHangs: string;
    pageHangsDetail: string;
    wait: string;
    reload: string;
    pdfFailed: string;
  };
}

/** What notifications say. Counts are whole numbers from 1; those of reports may be 0, where only a text changed. */
export interface NoticeWords {
  /** A thing by its name; `title` is the service's, and empty where it has none. */
  name: {
    daily(label: string): string;
    weekly(label: string): string;
    monthly(label: string): string;
    story(title: string): string;
    models(title: string): string;
  };
  /** What there is to say of one of them besides its name. */
  detail: Record<NoticeKind, (count: number) => string>;
  /** So many of a kind, as a part of a list. */
  many: Record<NoticeKind, (n: number) => string>;
  /** One of several, in a line. */
  line(name: string, detail: string): string;
  more(n: number): string;
  catchUp(what: string): string;
  open: string;
  later: string;
  openKind: Record<NoticeKind, string>;
}

const CATALOGUES: Readonly<Record<HostLocale, HostWords>> = { en, 'zh-CN': zh };

/** The words for a setting; `system` follows the given BCP 47 tag, English where it is none of ours. */
export function wordsFor(language: Settings['language'], systemTag: string): HostWords {
  if (language !== 'system') return CATALOGUES[language];
  return CATALOGUES[/^zh\b/i.test(systemTag) ? 'zh-CN' : 'en'];
}
