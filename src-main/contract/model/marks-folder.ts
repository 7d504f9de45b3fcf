import type { Failure } from '../errors.ts';

/** Characters of a passphrase. */
export const SHORTEST_PASSPHRASE = 8;
export const LONGEST_PASSPHRASE = 1024;
/** 16 random bytes. */
export const MARKS_SALT = /^[0-9a-f]{32}$/;

/** A key that was derived from a passphrase, and the salt that it was derived with, in hexadecimal digits. Secret. */
export interface MarksKey {
  salt: string;
  key: string;
}

/** More keys than this are not held: those of earlier passphrases are dropped first. */
export const MOST_MARKS_KEYS = 8;

/**
 * Why something in the folder is not believed: it is no regular file (a link, a pipe, a device, a folder with the name of a
 * file), it is longer than what Broadsheet writes, there is more than is read at once, its stamp is beyond reason, or its
 * machine has taken all the room that it has here.
 */
export const MARKS_REFUSALS = ['irregular', 'too_large', 'too_many', 'implausible', 'no_room'] as const;
export type MarksRefusal = (typeof MARKS_REFUSALS)[number];

/** A machine that shares its marks through the folder. */
export interface MarksMachine {
  id: string;
  /** What it calls itself; empty if that can't be read. */
  name: string;
  isThis: boolean;
  /** When it last wrote, by its own clock; null if that can't be read. */
  seenAt: string | null;
}

/** The folder through which machines share marks (docs/decisions/131). */
export interface MarksFolder {
  /** Null while marks are not shared. */
  folder: string | null;
  machines: MarksMachine[];
  /** When folder and marks were last compared completely. */
  comparedAt: string | null;
  /** Marks of this machine that are not in the folder yet. */
  waiting: number;
  /** Marks of other machines for which there is no room here, for example the 51st saved search. */
  leftOut: number;
  /** Lines and files that can't be read: being copied, damaged, or too large. They are looked at again when they change. */
  unreadable: number;
  /** Whether this machine encrypts what it writes. */
  encrypted: boolean;
  /** Whether the passphrase is to be entered here: there are lines that it opens, or this machine waits to write some. */
  locked: boolean;
  /** Encrypted lines that no key of this machine opens. */
  sealed: number;
  /** Files of other machines that are not encrypted, while this one encrypts: they are not read. */
  plain: number;
  /** Counts the marks that are not believed, in the order of {@link MARKS_REFUSALS}. */
  refused: { reason: MarksRefusal; count: number }[];
  /** Whether settings are shared, too. */
  settings: boolean;
  /** Settings of a later version, or with values that mean nothing here: they are passed on and not used. */
  unknownSettings: number;
  /** Why the folder could not be used the last time. */
  failure: Failure | null;
}

/** Before a folder was chosen. */
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
