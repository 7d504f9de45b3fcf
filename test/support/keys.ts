import type { Credential, KeyStore } from '../../src-main/contract/ports.ts';

/** A place for the key that a test can look into, and make fail. */
export interface OpenKeyStore extends KeyStore {
  kept: ReturnType<KeyStore['get']>;
  /** Thrown by the next `keep` and `forget` while it is set. */
  failure: Error | null;
}

export function memoryKeys(given: Credential | null = null): OpenKeyStore {
  const store: OpenKeyStore = {
    keeping: 'thisRun',
    keepingReason: 'host',
    kept: given && { credential: given, from: 'environment' },
    failure: null,
    get: () => store.kept,
    async keep(credential) {
      if (store.failure) throw store.failure;
      store.kept = { credential, from: 'thisRun' };
    },
    forget() {
      if (store.failure) throw store.failure;
      store.kept = null;
    },
  };
  return store;
}
