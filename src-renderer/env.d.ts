import type { FirstCalls } from './api/http-wire.ts';
import type { Wire } from '../src-main/contract/wire.ts';

declare global {
  interface Window {
    /** Set by the desktop host's preload script; absent in an ordinary browser. */
    broadsheet?: Wire;
    /** Set by public/first-calls.js; absent with the desktop's own wire. */
    broadsheetFirst?: FirstCalls;
  }
}

// Part of ARIA 1.3, which browsers support and Svelte's types lack.
declare module 'svelte/elements' {
  interface AriaAttributes {
    'aria-description'?: string | undefined | null;
  }
}
