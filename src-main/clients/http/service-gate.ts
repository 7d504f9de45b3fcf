import { ServiceError } from './service-error.ts';

/** Closed while a Retry-After of a service applies: then nothing is sent to it (document 1 section 7). */
export interface ServiceGate {
  /** Remaining ms; 0 if it is open. */
  readonly left: number;
  close(ms: number): void;
}

/** Errors: `rate_limited` while the gate is closed. */
export function passGate(gate: ServiceGate | undefined): void {
  const left = gate?.left ?? 0;
  if (left === 0) return;
  const message = `Too many requests. Try again in ${String(Math.ceil(left / 1000))} s.`;
  throw new ServiceError('rate_limited', message, { retryAfterMs: left });
}

/** Closes the gate if the service sent 429 or 503 with a Retry-After. */
export function closeGate(gate: ServiceGate | undefined, { status, retryAfterMs }: ServiceError): void {
  const isBusy = status === 429 || status === 503;
  if (isBusy && retryAfterMs !== null && retryAfterMs > 0) gate?.close(retryAfterMs);
}
