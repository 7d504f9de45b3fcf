/** Saves a search under a name. Resolves to the reason why it could not be saved, if any. */
export type SaveSearch = (name: string, query: string, notify: boolean) => Promise<string | null>;
