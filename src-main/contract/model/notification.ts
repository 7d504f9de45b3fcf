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

/** Found by a sync, once: also if its kind is off or quiet hours hold it back, but not if it was seen before. */
export interface NewNotification extends StoredNotification {
  /** The newest new item of a saved search, which `title` and `count` are about, too. */
  item: { id: string; link: string | null } | null;
  priceChanged: boolean;
}

/** For what a hook can run (docs/decisions/122). */
export const HOOK_EVENTS = ['daily', 'weekly', 'monthly', 'story', 'search', 'price'] as const;
export type HookEvent = (typeof HOOK_EVENTS)[number];

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
