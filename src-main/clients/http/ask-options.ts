export interface AskOptions {
  /** The ETag that came with what is held for exactly these parameters. */
  validator?: string | undefined;
  signal?: AbortSignal | undefined;
}
