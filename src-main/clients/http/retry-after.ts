import { ServiceError } from './service-error.ts';

const DAY = 24 * 3_600_000;
const MAX_WAIT_MS = 7 * DAY;

/** Replaces a longer wait, which is a mistake, by a day (docs/decisions/188). */
export function plausibleWait(ms: number): number {
  return ms <= MAX_WAIT_MS ? ms : DAY;
}

/** `Date.parse` also reads "1.5". All three forms of an HTTP date (RFC 9110 section 5.6.7) start with a weekday. */
const HTTP_DATE = /^(mon|tue|wed|thu|fri|sat|sun)[a-z]*,? /i;

/** Clocks that were never set start in 1970. */
const EARLIEST = Date.parse('2020-01-01T00:00:00Z');

/** Reads a response's `Date`, in ms since 1970. A Retry-After date is counted from it: this computer's clock may be a day behind. */
export function sentAt(date: string | undefined): number | null {
  const at = Date.parse(date ?? '');
  return at >= EARLIEST ? at : null;
}

/** Services send seconds, proxies a date. Returns ms. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const value = header?.trim() ?? '';
  if (/^\d+$/.test(value)) return Number(value) * 1000;
  if (!HTTP_DATE.test(value)) return null;
  const at = Date.parse(/ GMT$/i.test(value) ? value : `${value} GMT`);
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}

/** Closed while a Retry-After of a service applies; nothing is sent to it then (document 1 section 7). */
export interface ServiceGate {
  /** In ms. */
  readonly left: number;
  close(ms: number): void;
}

export function passGate(gate: ServiceGate | undefined): void {
  const left = gate?.left ?? 0;
  if (left === 0) return;
  const message = `Too many requests. Try again in ${String(Math.ceil(left / 1000))} s.`;
  throw new ServiceError('rate_limited', message, { retryAfterMs: left });
}

export function closeGate(gate: ServiceGate | undefined, { status, retryAfterMs }: ServiceError): void {
  const isBusy = status === 429 || status === 503;
  if (isBusy && retryAfterMs !== null && retryAfterMs > 0) gate?.close(retryAfterMs);
}
