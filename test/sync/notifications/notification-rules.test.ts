import { describe, expect, it } from 'vitest';
import {
  NOTIFICATION_KINDS,
  type StoredNotification,
  type NotificationKind,
} from '../../../src-main/contract/model/notification.ts';
import { DEFAULT_SETTINGS } from '../../../src-main/contract/settings.ts';
import type { Target } from '../../../src-main/contract/refs.ts';
import {
  decideStates,
  targetOf,
  type NotificationSettings,
  type OpenNotification,
} from '../../../src-main/sync/notifications/notification-rules.ts';

const ZONE = 'Asia/Shanghai';
const DAY = Date.parse('2026-03-18T12:00:00+08:00');
const NIGHT = Date.parse('2026-03-18T23:00:00+08:00');
const QUIET = { on: true, from: '22:00', to: '07:00' };
const ALL_ON = { daily: true, weekly: true, monthly: true, story: true, saved: true, models: true };

function open(id: number, kind: NotificationKind = 'daily', rest: Partial<OpenNotification> = {}): OpenNotification {
  return { id, kind, held: false, moot: false, late: false, ...rest };
}

function settings(off: NotificationKind[] = [], quietHours = QUIET): NotificationSettings {
  return { notify: { ...ALL_ON, ...Object.fromEntries(off.map((kind) => [kind, false])) }, quietHours };
}

function ruled(notifications: OpenNotification[], now: number, wanted = settings()) {
  const { states, catchUp } = decideStates(notifications, wanted, { now, zone: ZONE });
  return { states: Object.fromEntries(states), catchUp };
}

describe('the decision about a notification', () => {
  it.each<[string, Partial<OpenNotification>, NotificationKind[], number, string, boolean]>([
    ['by day', {}, [], DAY, 'shown', false],
    ['in quiet hours', {}, [], NIGHT, 'held', false],
    ['held, and they are over', { held: true }, [], DAY, 'shown', true],
    ['of a kind that is switched off', {}, ['daily'], DAY, 'silent', false],
    ['held, of a kind that was switched off since', { held: true }, ['daily'], DAY, 'silent', false],
    ['of a kind that is on, where another is off', {}, ['weekly', 'models'], DAY, 'shown', false],
    ['that the user saw before it was shown', { moot: true }, [], DAY, 'silent', false],
    ['held, and seen since', { held: true, moot: true }, [], DAY, 'silent', false],
    ['that came after a newer one of its kind', { late: true }, [], DAY, 'silent', false],
  ])('%s', (_, rest, off, now, state, catchUp) => {
    expect(ruled([open(1, 'daily', rest)], now, settings(off))).toEqual({ states: { 1: state }, catchUp });
  });

  it('is made separately for each notification', () => {
    const notifications = [
      open(1),
      open(2, 'story', { held: true }),
      open(3, 'models'),
      open(4, 'weekly', { moot: true }),
    ];
    expect(ruled(notifications, DAY, settings(['models']))).toEqual({
      states: { 1: 'shown', 2: 'shown', 3: 'silent', 4: 'silent' },
      catchUp: true,
    });
    expect(ruled(notifications, NIGHT, settings(['models']))).toEqual({
      states: { 1: 'held', 2: 'held', 3: 'silent', 4: 'silent' },
      catchUp: false,
    });
  });

  it('is to show it at night without quiet hours, or in another time zone', () => {
    expect(ruled([open(1)], NIGHT, settings([], { ...QUIET, on: false })).states).toEqual({ 1: 'shown' });
    const there = decideStates([open(1)], settings(), { now: NIGHT, zone: 'America/New_York' });
    expect(there.states.get(1)).toBe('shown');
  });

  it('by default is to show it, except for models', () => {
    const notifications = NOTIFICATION_KINDS.map((kind, id) => open(id, kind));
    const { states } = ruled(notifications, NIGHT, DEFAULT_SETTINGS);
    expect(states).toEqual({ 0: 'shown', 1: 'shown', 2: 'shown', 3: 'shown', 4: 'shown', 5: 'silent' });
  });
});

describe('a click on a notification', () => {
  const daily = (label: string): Pick<StoredNotification, 'kind' | 'target'> => ({
    kind: 'daily',
    target: { view: 'report', kind: 'daily', label },
  });
  const weekly: Pick<StoredNotification, 'kind' | 'target'> = {
    kind: 'weekly',
    target: { view: 'report', kind: 'weekly', label: '2026-W12' },
  };
  const story = (publicId: string): Pick<StoredNotification, 'kind' | 'target'> => ({
    kind: 'story',
    target: { view: 'story', publicId },
  });
  const models: Pick<StoredNotification, 'kind' | 'target'> = { kind: 'models', target: { view: 'modelChanges' } };
  const model: Pick<StoredNotification, 'kind' | 'target'> = {
    kind: 'models',
    target: { view: 'model', modelList: 'models', id: 'a/b' },
  };

  it.each<[string, Pick<StoredNotification, 'kind' | 'target'>[], Target]>([
    ['of one daily', [daily('2026-03-18')], { view: 'report', kind: 'daily', label: '2026-03-18' }],
    ['of one model', [model], { view: 'model', modelList: 'models', id: 'a/b' }],
    ['of many models', [models], { view: 'modelChanges' }],
    [
      'of dailies that were missed',
      [daily('2026-03-18'), daily('2026-03-17')],
      { view: 'report', kind: 'daily', label: '2026-03-18' },
    ],
    ['of several stories', [story('a'), story('b')], { view: 'notifications' }],
    ['of both model lists', [model, models], { view: 'modelChanges' }],
    ['of a daily and a weekly', [daily('2026-03-18'), weekly], { view: 'notifications' }],
  ])('%s leads to the right place', (_, notifications, target) => {
    expect(targetOf(notifications)).toEqual(target);
  });
});
