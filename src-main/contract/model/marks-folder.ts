import type { Failure } from '../errors.ts';

export const SHORTEST_PASSPHRASE = 8;
export const LONGEST_PASSPHRASE = 1024;
export const MARKS_SALT_PATTERN = /^[0-9a-f]{32}$/;

/** Made from the passphrase and the folder's salt, both in hexadecimal digits. Secret. */
export interface MarksKey {
  salt: string;
  key: string;
}

export const MOST_MARKS_KEYS = 8;

/** `irregular`: a link, pipe, device or folder. `no_room`: the device has used up its room here. */
export const MARKS_REFUSALS = ['irregular', 'too_large', 'too_many', 'implausible', 'no_room'] as const;
export type MarksRefusal = (typeof MARKS_REFUSALS)[number];

export interface MarksMachine {
  id: string;
  name: string;
  isThis: boolean;
  seenAt: string | null;
}

export interface MarksFolder {
  folder: string | null;
  machines: MarksMachine[];
  comparedAt: string | null;
  waiting: number;
  /** Records of other machines beyond a limit, such as the 51st saved search. */
  leftOut: number;
  /** Files that are being copied, damaged or too large. */
  unreadable: number;
  encrypted: boolean;
  /** Needs the passphrase, to decrypt lines or to write. */
  locked: boolean;
  /** Lines that no key of this machine decrypts. */
  sealed: number;
  /** Unencrypted files of other machines, not read while this one encrypts. */
  plain: number;
  refused: { reason: MarksRefusal; count: number }[];
  settings: boolean;
  /** Passed on, not used. */
  unknownSettings: number;
  failure: Failure | null;
}

export const NOT_SHARED: MarksFolder = {
  folder: null,
  machines: [],
  comparedAt: null,
  waiting: 0,
  leftOut: 0,
  unreadable: 0,
  encrypted: false,
  locked: false,
  sealed: 0,
  plain: 0,
  refused: [],
  settings: false,
  unknownSettings: 0,
  failure: null,
};
