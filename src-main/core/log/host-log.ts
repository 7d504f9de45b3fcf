import type { KeyStore, Log } from '../../contract/ports.ts';
import { logToAll, neverFails } from './log-file.ts';
import { redactedLog, redaction } from './redaction.ts';

/** The log of a host, created before anything else. Writes to several outputs, without secrets, and never throws. */
export class HostLog {
  readonly log: Log;
  #keys: Pick<KeyStore, 'get'> | null = null;

  constructor(...logs: Log[]) {
    const secrets = (): string[] => {
      const saved = this.#keys?.get();
      return saved ? [saved.credential.key] : [];
    };
    this.log = neverFails(redactedLog(logToAll(...logs), redaction(secrets)));
  }

  /** Redacts the key of this store from now on. */
  hide(keys: Pick<KeyStore, 'get'>): void {
    this.#keys = keys;
  }
}
