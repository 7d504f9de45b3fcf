import { BroadsheetError } from '../../contract/errors.ts';

/** Document 1 section 8. */
const MAX_LENGTH = 128;

/** Checks the form of a story's public id: 1 to 128 characters that are all allowed in a path. */
export function isPublicId(id: string): boolean {
  const length = Array.from(id).length;
  return length >= 1 && length <= MAX_LENGTH && id.isWellFormed() && !id.includes('\0') && id !== '.' && id !== '..';
}

/** Errors: `invalid_argument`, before anything is sent. */
export function checkPublicId(id: string): void {
  if (isPublicId(id)) return;
  throw new BroadsheetError('invalid_argument', `publicId must have 1 to ${MAX_LENGTH} characters.`);
}

/**
 * The public id in the address of a story's page (a hot topic's `links.story`) or of the story in the API: the last path
 * segment (document 1 section 4.2). Null without an address or a valid id.
 */
export function storyAt(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  // A trailing slash does not count.
  const segment = url.pathname.split('/').findLast((part) => part !== '');
  const id = segment === undefined ? null : decoded(segment);
  return id !== null && isPublicId(id) ? id : null;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
