import { createContext } from 'svelte';
import type { Failure } from '../../src-main/contract/errors.ts';
import type { Location, LocationIn, ViewName } from '../../src-main/contract/location.ts';
import type { Reply } from '../../src-main/contract/methods.ts';
import type { Ref, Target, WindowTarget } from '../../src-main/contract/refs.ts';
import type { Capabilities } from '../../src-main/contract/model/capabilities.ts';
import type { AcceptableResource } from '../../src-main/contract/model/resource.ts';
import type { SyncStatus } from '../../src-main/contract/model/sync-status.ts';
import type { Settings, SettingsSection } from '../../src-main/contract/settings.ts';
import type { LiveAnswers } from '../api/live.ts';
import type { FocusRegions } from './focus-regions.ts';

/** A field of the settings in which the focus can start. */
export type SettingsField = 'mute' | 'service';

/** The current time in ms since 1970, updated as often as texts like "3 minutes ago" need it. */
export interface Clock {
  readonly now: number;
}

export interface Layout {
  readonly panes: 'one' | 'two' | 'three';
  /** True if a pane that fills the window has room for labels beside its icons. */
  readonly roomy: boolean;
  /** True if there is room for a page beside a table. */
  readonly wide: boolean;
  readonly ownWindow: boolean;
  /** Undefined while the sidebar is always visible. */
  readonly openSidebar: (() => void) | undefined;
}

/** A change takes effect on the page at once. */
export interface PageSettings {
  readonly current: Settings;
  /** Null until they are known. */
  readonly capabilities: Capabilities | null;
  /** The key of a command; empty while single keys are off. */
  keyOf: (command: 'help' | 'next' | 'note' | 'previous' | 'search' | 'star') => string;
  /** Saves a change. Shows the old value again if that fails. */
  set: (patch: Partial<Settings>) => Promise<Reply<Settings>>;
}

export interface Toasts {
  show: (text: string, options?: { tone?: 'plain' | 'problem'; action?: { label: string; run: () => void } }) => void;
  complain: (what: string, failure: Failure) => void;
  complainIfFailed: (what: string, action: Promise<Reply<unknown>>) => Promise<void>;
  /** Copies a text, and says if that was possible. */
  copy: (text: string, copied: string, failed: string) => Promise<void>;
}

export interface Links {
  /** Opens a link in the browser. Refuses anything but a web link with a message. */
  open: (address: string | null) => void;
  copy: (address: string) => Promise<void>;
}

export interface Connection {
  /** The news service can't be reached. */
  readonly offline: boolean;
  /** Says in words that it can't, and since when the saved news are; "Offline" only if this computer is. */
  readonly offlineText: string;
  /** RFC 3339; null before the first sync. */
  readonly lastSuccessAt: string | null;
  /** The address of the news service; null for the demo. */
  readonly address: string | null;
  /** Why the last sync of news failed; null if it didn't. */
  readonly failure: Failure | null;
  /** Names the address that doesn't send news, unless this computer is offline. */
  readonly failureTitle: string;
  /** True if the sync state tells of a failure, be it only of the models; not while a sync runs. */
  readonly failing: boolean;
  /** RFC 3339; null if no retry of the first download is planned. */
  readonly nextTryAt: string | null;
  refresh: () => Promise<void>;
  openSettings: () => void;
  /** Uses the demo as the news service; null if an option or the environment names the service. */
  readonly useDemo: (() => void) | null;
}

export interface Sync {
  /** Null until it is known. */
  readonly status: SyncStatus | null;
  /** Accepts a smaller answer that waits for the reader's decision. */
  accept: (resource: AcceptableResource) => Promise<Reply<SyncStatus>>;
}

/** Something that the reader does and the core saves. */
export interface Action<R, T = unknown> {
  /** "240 items marked as read"; null if nothing was done. */
  what: string | ((value: R) => string | null);
  call: () => Promise<Reply<R>>;
  /** Makes it undoable. Returns null if it has told the reader why there is nothing to take back. */
  takeBack?: (value: R) => Promise<Reply<T> | null>;
  /** Default: "Undone: 240 items marked as read". */
  undone?: (value: T) => string;
  failed?: string;
  /** False if the caller shows why it failed. */
  complains?: boolean;
  /** True if it changes a whole list. It waits for what is being saved, so that its message comes last. */
  bulk?: boolean;
  /** Screen readers alone need to be told if the page shows it. */
  tell?: 'toast' | 'screenReader' | 'nobody';
  /** Default: now. An action that began later is undone first. As `performance.now`. */
  began?: number | undefined;
}

/** Saves what the reader does, reports a failure, and offers to undo it. */
export type Act = <R, T>(action: Action<R, T>) => Promise<Reply<R>>;

export interface PageHistory {
  readonly location: Location;
  readonly view: ViewName;
  /** Returns the location of a view; as it was left if another one is shown. */
  in: <V extends ViewName>(view: V) => LocationIn<V>;
  /** True if the reader came back to the current location: by Back, Forward, a reload or the start. */
  readonly isReturn: boolean;
  go: (location: Location) => void;
  /** Changes the current location without an entry of its own. */
  amend: (location: Location) => void;
  open: (ref: Ref) => void;
  close: () => void;
  /**
   * Opens a page in the current view because nothing is open there. It is no entry of the history, and marks nothing.
   *
   * @param onopen called when the reader does something with it, or opens it
   */
  preview: (ref: Ref, onopen?: () => void) => void;
  isPreview: (view: ViewName) => boolean;
  /** Makes the preview of a view what the reader opened. */
  confirm: (view: ViewName) => void;
  /** Sets the location of a view, which is shown only if the view is. */
  put: (location: Location) => void;
}

export type ViewId =
  | { kind: 'selected' | 'everything' | 'unread' | 'starred' | 'muted' }
  | { kind: 'category'; category: string }
  | { kind: 'source'; source: string }
  | { kind: 'saved'; id: string };

export interface Tab {
  name: string;
  current: boolean;
  show: () => void;
}

export interface Tabs {
  /** The subject. */
  label: string;
  tabs: readonly Tab[];
}

/** The ways to other parts of the page. */
export interface PageNavigation {
  /** Opens a page: an item over the story or report that is open, else in the feed; a report at one of its stories. */
  open: (ref: Ref, story?: string | null) => void;
  /** Goes to what may be gone. If it is not saved here, says so and stays. */
  goTo: (target: Target) => Promise<void>;
  /** Shows a list of items, as it was left if it is the current one. */
  show: (list: ViewId) => void;
  showView: (view: ViewName) => void;
  /** The lists beside that of a view; null if there are none. */
  tabsIn: (view: ViewName) => Tabs | null;
  /** Shows the lists of a subject by the tab that was chosen last. */
  showTabs: (subject: 'saved' | 'topics') => void;
  openWindow: (target: WindowTarget) => Promise<void>;
  /** Goes back from reading to the list. */
  back: () => void;
}

/**
 * The values in Svelte's context: they belong to the whole page, and views need them at any depth. State of a single
 * feature has a context of its own. The app sets the context once, in the root component of a window.
 */
export interface PageContext {
  readonly live: LiveAnswers;
  readonly act: Act;
  readonly history: PageHistory;
  readonly navigation: PageNavigation;
  readonly clock: Clock;
  readonly settings: PageSettings;
  readonly layout: Layout;
  readonly toasts: Toasts;
  readonly links: Links;
  readonly connection: Connection;
  readonly focus: FocusRegions;
  readonly report: (error: unknown) => void;
  readonly sync: Sync;
  readonly openSettings: (section: SettingsSection, field?: SettingsField) => void;
  readonly openSearch: (text?: string) => void;
  readonly endSearch: () => void;
}

export const [pageContext, setPageContext] = createContext<PageContext>();
