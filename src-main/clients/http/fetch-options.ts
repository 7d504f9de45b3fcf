export interface FetchOptions {
  /** The ETag of the saved response to exactly these parameters. */
  validator?: string | undefined;
  signal?: AbortSignal | undefined;
  /** One of many requests that nobody waits for: it leaves room for others. */
  bulk?: boolean | undefined;
}
