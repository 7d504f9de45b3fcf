import { canCarrySecrets } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';

/** What an `Authorization` header can carry (RFC 9110 section 5.5), without the blanks that a key never has. */
const SENDABLE = /^[\x21-\x7e]+$/;

/** In shorter keys any word may be found by chance: of these only the very key is taken out, and from errors alone. */
const LONG_ENOUGH = 8;

/**
 * A key goes over https or loopback only, and as it is or not at all (document 2 section 5).
 * Errors: `key_not_sent`, before anything is sent.
 */
export function checkKey(key: string, baseAddress: string): void {
  if (!canCarrySecrets(baseAddress)) {
    throw new BroadsheetError(
      'key_not_sent',
      'The key was not sent, for anybody on the way could read it: use an https address in Settings, or one on this machine.',
    );
  }
  if (!SENDABLE.test(key)) {
    throw new BroadsheetError(
      'key_not_sent',
      'The key was not sent: it holds blanks or characters that no key has. Copy it again and enter it in Settings.',
    );
  }
}

export type RedactKey = (text: string) => string;

/** Takes a key out of what a service says, for a service may quote what it was sent: also in other letters, or encoded. */
export function keyRedaction(key: string | undefined): RedactKey {
  if (!key) return (text) => text;
  const forms = key.length < LONG_ENOUGH ? [key] : formsOf(key);
  const pattern = new RegExp(forms.map(asPattern).join('|'), 'gi');
  return (text) => text.replace(pattern, '***');
}

/**
 * JSON without the key, as it was sent and as JSON may write it: a parser would put an escaped one together again. In
 * megabytes of data a search for everything else would cost too much.
 */
export function withoutKey(body: string, key: string | undefined): string {
  if (!key || key.length < LONG_ENOUGH) return body;
  const plain = body.replaceAll(key, '***');
  return plain.includes('\\') ? plain.replace(escapable(key), '***') : plain;
}

/** Each character as itself or as one of its escapes (RFC 8259 section 7). A key has no control characters. */
function escapable(key: string): RegExp {
  const characters = Array.from(key, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, '0');
    const hex = code.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
    const short = /["\\/]/.test(character) ? `|\\\\${asPattern(character)}` : '';
    return `(?:${asPattern(character)}|\\\\u${hex}${short})`;
  });
  return new RegExp(characters.join(''), 'g');
}

function formsOf(key: string): string[] {
  const base64 = [key, `Bearer ${key}`].flatMap((text) => {
    const bytes = Buffer.from(text);
    return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
  });
  const forms = [key, encodeURIComponent(key), ...base64, Buffer.from(key).toString('hex')];
  // The longest first: of two that begin alike the shorter one would leave the rest of the other.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
