import { oneLine } from './text.ts';

const OPENING = '(（[【';
const CLOSING = ')）]】';
const LONGEST_NAME = 2_000;

/** `X：Name (@handle)` is `Name`, without notes in brackets at the end (observed-1-source-names). */
export function sourceLabel(name: string | null | undefined, limit = LONGEST_NAME): string {
  const whole = oneLine(name, LONGEST_NAME);
  const { bare, handle } = withoutNotes(whole);
  const platform = /^([^:：]{1,20})[:：]\s*(.+)$/u.exec(bare);
  // An account has a handle; X is also written without one. Other prefixes name an organization.
  const isAccount = platform !== null && (handle || /^(?:x|twitter)$/i.test(platform[1] ?? ''));
  const label = isAccount ? (platform[2] ?? '') : bare;
  // Without a name before the note, the note is the name.
  return oneLine(isEmptyName(label) ? whole : label, limit);
}

const LONGEST_KEY = 200;

/** Names with the same key are the same source. Empty without a name. */
export function sourceKey(name: string | null | undefined): string {
  return sourceLabel(name).normalize('NFKC').toLowerCase().slice(0, LONGEST_KEY).toWellFormed();
}

function isEmptyName(label: string): boolean {
  return label === '' || /[:：]$/.test(label);
}

/** `handle`: brackets at the end held a handle. */
function withoutNotes(text: string): { bare: string; handle: boolean } {
  let bare = text;
  let handle = false;
  for (let start = openingOf(bare); start !== -1; start = openingOf(bare)) {
    handle ||= bare[start + 1] === '@';
    bare = bare.slice(0, start).trimEnd();
  }
  return { bare, handle };
}

function openingOf(text: string): number {
  let open = 0;
  for (let at = text.length - 1; at >= 0; at -= 1) {
    const character = text.charAt(at);
    if (CLOSING.includes(character)) open += 1;
    else if (OPENING.includes(character)) open -= 1;
    if (open === 0) return at === text.length - 1 ? -1 : at;
  }
  return -1;
}
