// Lets the time of a process begin on a Friday morning and pass a hundred times slower: two runs of the pictures then differ
// only in what the page draws. Loaded with `--import`, in the services that the tests start too. The address of this module
// ends with when the run began, so that all processes agree.
const SLOWER = 100;
const begin = Date.parse('2026-11-20T08:30:00Z');
const began = Number(new URL(import.meta.url).search.slice(1));
const { now: realNow } = Date;

const now = () => Math.round(begin + (realNow() - began) / SLOWER);
globalThis.Date = new Proxy(Date, {
  construct: (date, parts, target) => Reflect.construct(date, parts.length === 0 ? [now()] : parts, target),
});
Date.now = now;
