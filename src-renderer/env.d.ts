import type { Wire } from '../src-main/contract/wire.ts';

declare global {
  interface Window {
    /** Set by the desktop host's preload script; absent in an ordinary browser. */
    broadsheet?: Wire;
  }
}
