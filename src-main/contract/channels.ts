/** The two channels of Electron's IPC that carry the wire: the page asks on one, the core announces on the other. */
export const CALL_CHANNEL = 'broadsheet:call';
export const EVENT_CHANNEL = 'broadsheet:event';

/** The name under which the preload script hands the wire to the page: `window.broadsheet`. */
export const PAGE_WIRE = 'broadsheet';
