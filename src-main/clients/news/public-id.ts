import { BroadsheetError } from '../../contract/errors.ts';

/** Of a story's public id (document 1 section 8). */
const LONGEST = 128;

/** Whether a text can be a story's public id: 1 to 128 characters, none of which a path cannot carry. */
export function isPublicId(id: string): boolean {
  const length = Array.from(id).length;
  return length >= 1 && length <= LONGEST && id.isWellFormed() && !id.includes('\0') && id !== '.' && id !== '..';
}

/** Errors: `invalid_argument`, before anything is sent. */
export function checkPublicId(id: string): void {
  if (isPublicId(id)) return;
  throw new BroadsheetError('invalid_argument', `publicId must have 1 to ${LONGEST} characters.`);
}

/**
 * The public id in the address of a story's page, as a hot topic's `links.story` has it, or of the story in the API: the last
 * path segment, query and fragment aside (document 1 section 4.2). Null where there is no address, or nothing in it that
 * could be an id: none is ever made up.
 */
export function storyAt(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  // A slash at the end makes no segment of its own.
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
