import type { KeyStore, Log } from '../../contract/ports.ts';

export const REDACTED = '[removed]';

/** Shorter texts would match parts of almost every line; real keys are longer. */
const SHORTEST_SECRET = 6;

// Matched anywhere: in headers, addresses, JSON.
const SCHEMES = /\b(Bearer|Basic|Digest|Negotiate)\s+(?!\[)[^\s"',;]{6,}/gi;
const NAMED = new RegExp(
  [
    '((?:proxy-)?authorization|(?:set-)?cookie|api[-_]?key|access[-_]?token|secret|password|passwd)',
    '(["\']?\\s*[:=]\\s*["\']?)',
    '(?:(?:Bearer|Basic|Digest|Negotiate)\\s+)?[^\\s"\',;&]+',
  ].join(''),
  'gi',
);
const IN_ADDRESS = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#@]+@/gi;

export type Redact = (text: string) => string;

/** Removes known `secrets`, as they are and URL-encoded, and what looks like one. */
export function redaction(secrets: () => readonly string[]): Redact {
  return (text) => {
    const known = secrets().filter((secret) => secret.length >= SHORTEST_SECRET);
    const forms = known.flatMap((secret) => [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
    const clean = forms.reduce((rest, form) => rest.replaceAll(form, REDACTED), text);
    return clean
      .replace(NAMED, `$1$2${REDACTED}`)
      .replace(SCHEMES, `$1 ${REDACTED}`)
      .replace(IN_ADDRESS, `$1${REDACTED}@`);
  };
}

export function keysRemoved(keys: Pick<KeyStore, 'get'>): Redact {
  return redaction(() => {
    const saved = keys.get();
    return saved ? [saved.credential.key] : [];
  });
}

export function redactedLog(log: Log, redact: Redact): Log {
  return (level, message, fields) => {
    if (!fields) return log(level, redact(message));
    const clean = Object.entries(fields).map(
      ([name, value]) => [name, typeof value === 'string' ? redact(value) : value] as const,
    );
    log(level, redact(message), Object.fromEntries(clean));
  };
}
