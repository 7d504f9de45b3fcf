import type { Credential, KeyStore } from '../../src-main/contract/ports.ts';

/** A key store that a test can inspect and make fail. */
export interface OpenKeyStore extends KeyStore {
  kept: ReturnType<KeyStore['get']>;
  /** Thrown by `keep` and `forget` while set. */
  failure: Error | null;
}

export function memoryKeys(given: Credential | null = null): OpenKeyStore {
  const store: OpenKeyStore = {
    keeping: 'thisRun',
    keepingReason: 'host',
    kept: given && { credential: given, from: 'environment' },
    failure: null,
    get: () => store.kept,
    async save(credential) {
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
