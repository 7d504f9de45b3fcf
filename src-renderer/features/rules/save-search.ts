/** Saves a search under a name, and whether it notifies. Answers why it could not be saved. */
export type SaveSearch = (name: string, query: string, notify: boolean) => Promise<string | null>;
