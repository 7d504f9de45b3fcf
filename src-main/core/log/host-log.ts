import type { KeyStore, Log } from '../../contract/ports.ts';
import { logToAll } from './log-file.ts';
import { redactedLog, redaction } from './redaction.ts';

/** The log of a host, which is there before anything else is: to several places, and to none with a secret. */
export class HostLog {
  readonly log: Log;
  #keys: Pick<KeyStore, 'get'> | null = null;

  constructor(...logs: Log[]) {
    const secrets = (): string[] => {
      const kept = this.#keys?.get();
      return kept ? [kept.credential.key] : [];
    };
    this.log = redactedLog(logToAll(...logs), redaction(secrets));
  }

  /** From here on the key of this store is in no line. */
  hide(keys: Pick<KeyStore, 'get'>): void {
    this.#keys = keys;
  }
}
