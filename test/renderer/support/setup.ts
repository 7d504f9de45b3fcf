// Runs before each test file of the project. Files share a process, and so one jsdom and one set of modules: what a file leaves
// behind is undone here, and no support module calls hooks when it is loaded, because it is loaded once for many files.
import { cleanup, configure } from '@testing-library/svelte';
import { afterAll, afterEach, vi } from 'vitest';
import { followLocale } from '../../../src-main/common/i18n/locale.ts';
import { savedNames } from '../../../src-renderer/features/feed/saved-names.svelte.ts';
import { language } from '../../../src-renderer/ui/language.svelte.ts';
import { answerQuickly } from './quick-dom.ts';
import { PATIENCE } from './wait.ts';

// jsdom has no layout, no popovers and no modal dialogs: replaces the parts of them that the page needs.
class NoResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver = NoResizeObserver;

// Nothing ever comes into view: what reads it is tried in a browser.
class NoIntersectionObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

Object.assign(globalThis, { IntersectionObserver: NoIntersectionObserver });

// The list asks its scroll element for its size: one that shows about eight rows.
Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 900 });
Object.defineProperty(HTMLElement.prototype, 'offsetWidth', { configurable: true, get: () => 400 });

HTMLElement.prototype.scrollTo = function (this: HTMLElement, options?: ScrollToOptions | number): void {
  if (typeof options === 'object' && options.top !== undefined) this.scrollTop = options.top;
};

answerQuickly();
configure({ asyncUtilTimeout: PATIENCE });

// There is nothing to scroll.
HTMLElement.prototype.scrollIntoView = function (): void {};

HTMLElement.prototype.showPopover = function (this: HTMLElement): void {
  this.removeAttribute('popover');
};

HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement): void {
  this.open = true;
};

HTMLDialogElement.prototype.close = function (this: HTMLDialogElement): void {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};

// A file may have let the language follow something else.
followLocale(() => language.locale);

/** As on an empty page. */
function clearRoot(): void {
  const root = document.documentElement;
  for (const name of root.getAttributeNames()) root.removeAttribute(name);
}

afterEach(() => {
  cleanup();
  // The next page is none that was reloaded.
  history.replaceState(null, '');
});

afterAll(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  configure({ defaultHidden: false });
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(null, '', '/');
  document.head.innerHTML = '';
  document.body.innerHTML = '';
  document.title = '';
  savedNames.clear();
  language.use('en', 'en');
  clearRoot();
});
