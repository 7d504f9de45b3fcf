import type { Target } from '../refs.ts';

export const NOTIFICATION_KINDS = ['daily', 'weekly', 'monthly', 'story', 'saved', 'models'] as const;
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number];

export interface StoredNotification {
  id: number;
  kind: NotificationKind;
  at: string;
  title: string;
  label: string | null;
  /** New articles of a story (0 if only its digest changed), new items, or changed models. */
  count: number;
  target: Target;
  /** Null if its kind is off, it was seen before, or quiet hours hold it back. */
  toldAt: string | null;
}

export interface NotificationTrial {
  outcome: 'shown' | 'failed' | 'unknown';
  reason: string;
}

export interface NotificationGroup {
  /** Newest first, at least one. */
  notifications: StoredNotification[];
  target: Target;
  catchUp: boolean;
}
