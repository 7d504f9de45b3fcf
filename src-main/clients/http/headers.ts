/** For a header that may occur only once. */
export function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** For a header that may be repeated as a list. */
export function joined(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

export function isWebPage(contentType: string): boolean {
  return /^\s*(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType);
}
