import { createContext } from 'svelte';
import type { Failure } from '../../src-main/contract/errors.ts';
import type { WindowTarget } from '../../src-main/contract/targets.ts';
import type { FocusRegions } from './focus-regions.ts';

/** The present in ms since 1970, renewed as often as texts like "3 minutes ago" need it. */
export interface Clock {
  readonly now: number;
}

/** What the window has room for. */
export interface Layout {
  readonly panes: 'one' | 'two' | 'three';
  /** Whether a pane that has the window for itself has room for texts beside its icons. */
  readonly roomy: boolean;
  /** Whether there is room for a page beside a table. */
  readonly wide: boolean;
  /** Whether the window shows one story or report only. */
  readonly ownWindow: boolean;
  /** Opens the sidebar; undefined while it is always visible. */
  readonly openSidebar: (() => void) | undefined;
}

/** Short messages at the bottom of the window. */
export interface Toasts {
  show: (text: string, options?: { tone?: 'plain' | 'problem'; action?: { label: string; run: () => void } }) => void;
  /** Says what failed and why. */
  complain: (what: string, failure: Failure) => void;
  /** Complains if the action fails. */
  complainIfFailed: (what: string, action: Promise<Failure | null>) => Promise<void>;
}

/** Links to the web. */
export interface Links {
  /** Opens a link in the browser. Anything but a web link is refused with a message. */
  open: (address: string | null) => void;
  copy: (address: string) => Promise<void>;
}

/** Whether the news source can be reached. */
export interface Connection {
  readonly offline: boolean;
  /** RFC 3339; null before the first sync. */
  readonly lastSuccessAt: string | null;
  /** The address of the news service; null for the demo. */
  readonly address: string | null;
  /** Why it can't be reached, in words; null if that isn't known. */
  readonly problem: string | null;
  /** When the first download is tried again by itself (RFC 3339); null if it isn't planned. */
  readonly nextTryAt: string | null;
  refresh: () => Promise<void>;
  /** Opens the settings of the news service. */
  openSettings: () => void;
  /** Uses the demo as the news service; null if an option or the environment names the service. */
  readonly useDemo: (() => void) | null;
}

/** Separate windows for stories and reports. */
export interface Windows {
  open: (target: WindowTarget) => Promise<void>;
}

/**
 * Everything that is in Svelte's context. It belongs to the whole page, and views need it at any depth; whatever belongs to
 * one feature is passed as a prop. The app sets it once, in the root component of a window.
 */
export interface PageContext {
  readonly clock: Clock;
  readonly layout: Layout;
  readonly toasts: Toasts;
  readonly links: Links;
  readonly connection: Connection;
  readonly windows: Windows;
  readonly focus: FocusRegions;
  /** Notes an error of the page, which it survived. */
  readonly report: (error: unknown) => void;
  /** Opens the search over everything. */
  readonly openSearch: () => void;
  /** Shows the items of a source; null where there is no list for them. */
  readonly openSource: ((name: string) => void) | null;
}

export const [pageContext, setPageContext] = createContext<PageContext>();
