import { canCarrySecrets } from '../../contract/addresses.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { isGatewayKey } from '../../contract/model/model.ts';

/** Shorter keys can occur by chance in any text: only the exact key is redacted, and only in errors. */
const LONG_ENOUGH = 8;

/** Allows a key over https or loopback only, and only unchanged (document 2 section 5). Errors: `key_not_sent`. */
export function checkKey(key: string, baseAddress: string): void {
  if (!canCarrySecrets(baseAddress)) {
    throw new BroadsheetError(
      'key_not_sent',
      'The key was not sent, because the address is not encrypted. Use an https address in Settings, or one on this computer.',
    );
  }
  if (!isGatewayKey(key)) {
    throw new BroadsheetError(
      'key_not_sent',
      'The key was not sent, because it contains invalid characters. Copy it again and enter it in Settings.',
    );
  }
}

export type RedactKey = (text: string) => string;

/** Removes a key from texts of a service, which may quote it in upper or lower case, or encoded. */
export function keyRedaction(key: string | undefined): RedactKey {
  if (!key) return (text) => text;
  const forms = key.length < LONG_ENOUGH ? [key] : formsOf(key);
  const pattern = new RegExp(forms.map(asPattern).join('|'), 'gi');
  return (text) => text.replace(pattern, '***');
}

/** Removes the key, plain or with JSON escapes. Searching megabytes for other forms would take too long. */
export function withoutKey(body: string, key: string | undefined): string {
  if (!key || key.length < LONG_ENOUGH) return body;
  const plain = body.replaceAll(key, '***');
  return plain.includes('\\') ? plain.replace(escapable(key), '***') : plain;
}

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
  // Longest first: a shorter form with the same start would leave the rest of the longer one.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

function asPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
