import { cleanup, render, type RenderResult } from '@testing-library/svelte';
import { afterEach } from 'vitest';
import App from '../../../src-renderer/app/App.svelte';
import { AppState } from '../../../src-renderer/app/app-state.svelte.ts';
import type { MemoryWire } from './memory-wire.ts';
import { settle } from './settle.ts';

// jsdom lays nothing out and has no modal dialogs: what the page needs of both is put in its place.
class NoResizeObserver implements ResizeObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
}

globalThis.ResizeObserver = NoResizeObserver;

// The list asks its scroll element for its size: one that shows about eight rows.
Object.defineProperty(HTMLElement.prototype, 'offsetHeight', { configurable: true, get: () => 900 });
Object.defineProperty(HTMLElement.prototype, 'offsetWidth', { configurable: true, get: () => 400 });

HTMLElement.prototype.scrollTo = function (this: HTMLElement, options?: ScrollToOptions | number): void {
  if (typeof options === 'object' && options.top !== undefined) this.scrollTop = options.top;
};

// There is nothing to scroll.
HTMLElement.prototype.scrollIntoView = function (): void {};

HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement): void {
  this.open = true;
};

HTMLDialogElement.prototype.close = function (this: HTMLDialogElement): void {
  this.open = false;
  this.dispatchEvent(new Event('close'));
};

afterEach(() => {
  cleanup();
  // The next page is none that was reloaded.
  history.replaceState(null, '');
});

/** The whole page over a core in memory, with its list laid out. */
export async function openPage(wire: MemoryWire): Promise<{ app: AppState; page: RenderResult<typeof App> }> {
  const app = new AppState(wire);
  await app.load();
  const page = render(App, { app });
  await settle();
  return { app, page };
}
