import type { Target } from '../targets.ts';

/** What Broadsheet can notify about. Each kind has its own switch in Settings. */
export const NOTIFICATION_KINDS = ['daily', 'weekly', 'monthly', 'story', 'saved', 'models'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

/** An event worth a notification, as listed in the notification history. */
export interface StoredNotification {
  id: number;
  kind: NotificationKind;
  /** RFC 3339: when Broadsheet found out about it. */
  at: string;
  /**
   * The service's headline or story title as plain text, for a saved search the title of its newest item; empty if there
   * is none.
   */
  title: string;
  /** Label of a report, name of a saved search (null once it is removed); null for other kinds. */
  label: string | null;
  /**
   * Number of new reports in a story (0 if only its digest changed), of new items in a saved search, or of changed models;
   * 1 for a report.
   */
  count: number;
  target: Target;
  /**
   * RFC 3339: when it was shown. Null if it was not: its kind is off, it was seen before, or quiet hours still hold it back.
   */
  toldAt: string | null;
}

/** What came of a test notification. Some systems say nothing (`unknown`); `reason` is the system's, and may be empty. */
export interface NotificationTrial {
  outcome: 'shown' | 'failed' | 'unknown';
  reason: string;
}

/**
 * One notification with everything that a sync found or that quiet hours held back. Each host words it in the user's
 * language.
 */
export interface NotificationGroup {
  /** Newest first; at least one. */
  notifications: StoredNotification[];
  /** What a click opens: the single event, or the history if there are several. */
  target: Target;
  /** Whether it was held back by quiet hours. */
  catchUp: boolean;
}
