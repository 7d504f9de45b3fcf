import { describe, expect, it } from 'vitest';
import { quietUntil } from '../../../src-main/sync/notifications/notification-rules.ts';

const SHANGHAI = 'Asia/Shanghai';
const BERLIN = 'Europe/Berlin';
const NEW_YORK = 'America/New_York';

/** Hours, a zone, a moment there, and when they end (null: it is not quiet). */
type Case = [from: string, to: string, zone: string, now: string, until: string | null];

const endOf = (from: string, to: string, zone: string, now: string, on = true): string | null => {
  const until = quietUntil({ on, from, to }, Date.parse(now), zone);
  return until === null ? null : new Date(until).toISOString();
};
const utc = (time: string | null): string | null => time && new Date(time).toISOString();

describe('quiet hours', () => {
  it.each<Case>([
    // Within a day.
    ['12:00', '14:00', SHANGHAI, '2026-03-18T11:59:59+08:00', null],
    ['12:00', '14:00', SHANGHAI, '2026-03-18T12:00:00+08:00', '2026-03-18T14:00:00+08:00'],
    ['12:00', '14:00', SHANGHAI, '2026-03-18T14:00:00+08:00', null],
    // Past midnight: the evening, the night, the morning.
    ['22:00', '07:00', SHANGHAI, '2026-03-18T21:59:59+08:00', null],
    ['22:00', '07:00', SHANGHAI, '2026-03-18T22:00:00+08:00', '2026-03-19T07:00:00+08:00'],
    ['22:00', '07:00', SHANGHAI, '2026-03-19T06:59:59+08:00', '2026-03-19T07:00:00+08:00'],
    ['22:00', '07:00', SHANGHAI, '2026-03-19T07:00:00+08:00', null],
    // From and to midnight.
    ['00:00', '06:00', SHANGHAI, '2026-03-19T00:00:00+08:00', '2026-03-19T06:00:00+08:00'],
    ['20:00', '00:00', SHANGHAI, '2026-03-19T00:00:00+08:00', null],
    // All of a day but a minute.
    ['07:01', '07:00', SHANGHAI, '2026-03-18T07:00:30+08:00', null],
    ['07:01', '07:00', SHANGHAI, '2026-03-18T07:01:00+08:00', '2026-03-19T07:00:00+08:00'],
    // The same moment is another time of day elsewhere.
    ['22:00', '07:00', BERLIN, '2026-03-18T22:00:00Z', '2026-03-19T07:00:00+01:00'],
    ['22:00', '07:00', NEW_YORK, '2026-03-18T22:00:00Z', null],
    ['22:00', '07:00', 'UTC', '2026-12-31T23:00:00Z', '2027-01-01T07:00:00Z'],
  ])('from %s to %s in %s, at %s: until %s', (from, to, zone, now, until) => {
    expect(endOf(from, to, zone, now)).toBe(utc(until));
  });

  it.each<Case>([
    // Berlin, 29 March 2026: 02:00 is 03:00. The night is an hour shorter.
    ['22:00', '07:00', BERLIN, '2026-03-28T23:00:00+01:00', '2026-03-29T07:00:00+02:00'],
    ['22:00', '02:30', BERLIN, '2026-03-29T01:59:59+01:00', '2026-03-29T03:30:00+02:00'],
    ['02:30', '05:00', BERLIN, '2026-03-29T03:30:00+02:00', '2026-03-29T05:00:00+02:00'],
    // Hours that this day skips are none.
    ['02:15', '03:00', BERLIN, '2026-03-29T03:00:00+02:00', null],
    // Berlin, 25 October 2026: 03:00 is 02:00 again. The night is an hour longer.
    ['22:00', '07:00', BERLIN, '2026-10-24T23:00:00+02:00', '2026-10-25T07:00:00+01:00'],
    ['22:00', '02:30', BERLIN, '2026-10-25T02:15:00+02:00', '2026-10-25T02:30:00+02:00'],
    ['22:00', '02:30', BERLIN, '2026-10-25T02:15:00+01:00', null],
  ])('from %s to %s in %s where clocks change, at %s: until %s', (from, to, zone, now, until) => {
    expect(endOf(from, to, zone, now)).toBe(utc(until));
  });

  it.each(['00:00', '08:30', '22:00'])('from %s to the same time are none', (time) => {
    for (let hour = 0; hour < 48; hour += 1) {
      expect(quietUntil({ on: true, from: time, to: time }, Date.UTC(2026, 2, 18, hour), BERLIN)).toBeNull();
    }
  });

  it('that are switched off are none', () => {
    expect(endOf('22:00', '07:00', BERLIN, '2026-03-18T23:00:00+01:00', false)).toBeNull();
  });

  it('end after they began and within a day, through a whole year', () => {
    for (let hour = 0; hour < 366 * 24; hour += 5) {
      const now = Date.UTC(2026, 0, 1, hour);
      for (const zone of [BERLIN, NEW_YORK]) {
        const until = quietUntil({ on: true, from: '22:00', to: '07:00' }, now, zone);
        if (until === null) continue;
        expect(until).toBeGreaterThan(now);
        expect(until - now).toBeLessThanOrEqual(10 * 3_600_000);
        expect(quietUntil({ on: true, from: '22:00', to: '07:00' }, until, zone)).toBeNull();
      }
    }
  });
});
