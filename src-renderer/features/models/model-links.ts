import { safeLink } from '../../ui/text/safe-link.ts';

const HUGGING_FACE = 'https://huggingface.co/';

/** Returns the address of a model's `links.details` at the gateway; null if it cannot be opened. */
export function detailsAddress(path: string | null, gateway: string | null): string | null {
  if (path === null || gateway === null || !URL.canParse(path, gateway)) return null;
  return safeLink(new URL(path, gateway).href);
}

/** Returns the page of a `hugging_face_id`, an owner and a name; null for anything else. */
export function huggingFaceAddress(id: string | null): string | null {
  return id !== null && /^[\w.-]+\/[\w.-]+$/.test(id) && !id.includes('..') ? HUGGING_FACE + id : null;
}
