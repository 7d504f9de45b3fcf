import type { Answer } from '../http/client.ts';
import { after } from '../http/request-count.ts';
import { ServiceError } from '../http/service-error.ts';

interface PageRequest {
  limit: number;
  /** The ETag of a saved response with exactly this limit. */
  validator: string | undefined;
}

/**
 * Requests a page; while the response is larger than the size limit, again with half as many records, down to one. The
 * next page starts with the usual number again. An answer with fewer records has no ETag: it isn't that of the usual
 * request. Errors: those of `send`, with the number of all requests.
 */
export async function fetchWithinSize<T>(
  { limit, validator }: PageRequest,
  send: (request: PageRequest) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  try {
    return await send({ limit, validator });
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'too_large' || limit === 1) throw error;
    const smaller = fetchWithinSize({ limit: Math.floor(limit / 2), validator: undefined }, send);
    return { ...(await after(error.requests, smaller)), validator: null };
  }
}
