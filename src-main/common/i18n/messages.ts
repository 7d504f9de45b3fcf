/**
 * Every text of the interface as a function: `m.list_items({ count: 3 })`. The texts are in messages/; `compiled` is made
 * of them by scripts/setup/messages.mjs. A second argument gives another language than the one in force.
 */
export { m } from './compiled/messages.js';
