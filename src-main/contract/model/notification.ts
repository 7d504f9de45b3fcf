import type { Target } from '../targets.ts';

/** What the reader can be told of, each with a switch of its own. */
export const NOTIFICATION_KINDS = ['daily', 'weekly', 'monthly', 'story', 'models'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** One thing that happened and is worth telling. Kept as the history of notifications. */
export interface StoredNotification {
  id: number;
  kind: NotificationKind;
  /** RFC 3339: when it became known here. */
  at: string;
  /** The service's own words for it (a headline, a story's title), plain text; empty where it has none. */
  title: string;
  /** A report's label; null for other kinds. */
  label: string | null;
  /** How much of it there is: reports that came to a story (0 where only its digest is another one), models that changed; 1
   * for a report. */
  count: number;
  target: Target;
  /** RFC 3339: when a notification told of it; null where none did: its kind is switched off, it was seen before it could be
   * told, or quiet hours hold it back still. */
  toldAt: string | null;
}

/** One notification: everything that a round brought, or that quiet hours held back. Each host words it in its language. */
export interface NotificationGroup {
  /** Newest first; at least one. */
  notifications: StoredNotification[];
  /** Where a click leads: to the thing itself where it is one, else to the history. */
  target: Target;
  /** Whether it makes up for quiet hours. */
  catchUp: boolean;
}
