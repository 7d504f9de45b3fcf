import type { Failure } from '../errors.ts';

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
  /** Why the folder could not be used the last time. */
  failure: Failure | null;
}
