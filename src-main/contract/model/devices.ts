import type { Failure } from '../errors.ts';

export const SHORTEST_PASSPHRASE = 8;
export const LONGEST_PASSPHRASE = 1024;
export const SALT_PATTERN = /^[0-9a-f]{32}$/;

/** Made from the passphrase and the folder's salt, both in hexadecimal digits. Secret. */
export interface FolderKey {
  salt: string;
  key: string;
}

export const MAX_FOLDER_KEYS = 8;

/** `irregular`: a link, pipe, device or folder. `no_room`: the device has used up its room here. */
export const FOLDER_REFUSALS = ['irregular', 'too_large', 'too_many', 'implausible', 'no_room'] as const;
export type FolderRefusal = (typeof FOLDER_REFUSALS)[number];

export interface Device {
  id: string;
  name: string;
  isThis: boolean;
  seenAt: string | null;
}

export interface SharedFolderStatus {
  folder: string | null;
  devices: Device[];
  comparedAt: string | null;
  waiting: number;
  /** Records of other devices beyond a limit, such as the 51st saved search. */
  leftOut: number;
  unreadable: number;
  encrypted: boolean;
  /** Needs the passphrase, to decrypt lines or to write. */
  locked: boolean;
  sealed: number;
  /** Unencrypted files of other devices, not read while this one encrypts. */
  plain: number;
  refused: { reason: FolderRefusal; count: number }[];
  settings: boolean;
  unknownSettings: number;
  failure: Failure | null;
}

export const NOT_SHARED: SharedFolderStatus = {
  folder: null,
  devices: [],
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
