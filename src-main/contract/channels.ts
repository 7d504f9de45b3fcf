/** The two channels of Electron's IPC that carry the wire: calls from the page, events from the core. */
export const CALL_CHANNEL = 'broadsheet:call';
export const EVENT_CHANNEL = 'broadsheet:event';

/** The global under which the preload script exposes the wire to the page: `window.broadsheet`. */
export const PAGE_WIRE = 'broadsheet';
