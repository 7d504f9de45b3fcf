export interface FetchOptions {
  /** The ETag of the saved response to exactly these parameters. */
  validator?: string | undefined;
  signal?: AbortSignal | undefined;
}
