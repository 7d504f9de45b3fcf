/** `compiled` is generated from messages/ by scripts/setup/messages.mjs. A second argument sets the locale. */
export { m } from './compiled/messages.js';
