import type { KeyStore, Log } from '../../contract/ports.ts';
import { logToAll, neverFails } from './log-file.ts';
import { redactedLog, redaction } from './redaction.ts';

/** Created before anything else. Never throws. */
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

  /** Redacts this store's key from now on. */
  hide(keys: Pick<KeyStore, 'get'>): void {
    this.#keys = keys;
  }
}
