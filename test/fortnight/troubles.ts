import type { Gateway, ModelTrouble } from './gateway.ts';
import { DAY, HOUR, MINUTE } from './random.ts';
import type { Service } from './service.ts';

/** Something that goes wrong at the service, and until when a client can't know the selected set. */
interface Trouble {
  from: number;
  until: number;
  /** From `until` on, for this long. */
  doubt: number;
  /** Snapshots lack so little that a client may believe it, as long as it keeps everything. */
  isSmall?: boolean;
  begin(service: Service, at: number): void;
  end(service: Service): void;
}

const nothing = () => undefined;
/** A client compares once a day; a bit more, because rounds come at their own times. */
const A_DAY = DAY + 30 * MINUTE;

/** The ledger is rebuilt; meanwhile snapshots are short. With `twice`, another rebuilding follows. */
function rebuilding(share: number, minutes: number, twice: boolean): Omit<Trouble, 'from'> {
  return {
    until: minutes * MINUTE,
    doubt: twice ? 0 : A_DAY,
    isSmall: share > 0.8,
    begin(service) {
      service.rebuildLedger();
      service.troubles.snapshotShare = share;
    },
    end(service) {
      service.troubles.snapshotShare = 1;
      if (twice) service.rebuildLedger();
    },
  };
}

/** The page of changes with the latest entry fails. */
function failing(how: 'error' | 'no JSON', hours: number): Omit<Trouble, 'from'> {
  let entry = 0;
  const forGood = hours === Infinity;
  return {
    until: forGood ? 0 : hours * HOUR,
    doubt: forGood ? A_DAY : 0,
    begin({ news, troubles }) {
      entry = news.ledger.length - 2;
      troubles.failing.set(entry, how);
    },
    end({ troubles }) {
      if (!forGood) troubles.failing.delete(entry);
    },
  };
}

const rejected: Omit<Trouble, 'from'> = {
  until: 0,
  doubt: A_DAY,
  begin: ({ troubles, news }) => void (troubles.invalidBefore = news.ledger.length),
  end: nothing,
};
const badRecords: Omit<Trouble, 'from'> = {
  until: DAY,
  doubt: 0,
  begin: ({ troubles }) => void (troubles.badRecords = true),
  end: ({ troubles }) => void (troubles.badRecords = false),
};
/** No answer for two hours, with Retry-After. */
const silence: Omit<Trouble, 'from'> = {
  until: 2 * HOUR,
  doubt: 0,
  begin: ({ troubles }, at) => void (troubles.unavailableUntil = at + 2 * HOUR),
  end: nothing,
};
/** For good, the connection of one report is reset. */
const reset: Omit<Trouble, 'from'> = {
  until: 0,
  doubt: 0,
  begin: ({ editions, troubles }) => void troubles.resets.add(`dailies/${editions.list('dailies')[1]!.label}`),
  end: nothing,
};

/** When each trouble begins, in days after the start. */
export interface Plan {
  days: number;
  news: readonly [day: number, trouble: Omit<Trouble, 'from'>][];
  lists: readonly [day: number, trouble: ModelTrouble][];
  /** From when on the gateway answers in pages. */
  pagedFrom: number;
}

export const WHOLE: Plan = {
  days: 14,
  news: [
    [1, rebuilding(0, 23, false)],
    [2.5, rebuilding(0, 60, true)],
    [3, reset],
    [4, rebuilding(0.35, 60, false)],
    [5.5, rebuilding(0.6, 23, true)],
    [6.5, failing('error', 7)],
    [7.5, failing('no JSON', Infinity)],
    [9, rejected],
    [9.5, silence],
    [10.5, badRecords],
    [11, rebuilding(0.9, 23, false)],
    [12, failing('error', Infinity)],
  ],
  lists: [
    [1, 'refused'],
    [3, 'empty'],
    [5, 'no prices'],
    [7, 'zero prices'],
    [9, 'half'],
  ],
  pagedFrom: 6,
};

export const SHORT: Plan = {
  days: 4,
  news: [
    [0.5, rebuilding(0, 23, false)],
    [0.5, reset],
    [1, badRecords],
    [1.5, failing('no JSON', Infinity)],
    [2, rejected],
    [2.5, rebuilding(0.35, 60, true)],
  ],
  lists: [
    [0.5, 'empty'],
    [1.5, 'no prices'],
    [2.5, 'half'],
  ],
  pagedFrom: 1,
};
/** How long a model list is wrong. */
const LIST_HOURS = 13;
/** Troubles begin shortly before a round. */
const BEFORE = 5 * MINUTE;

export interface Weather {
  /** Returns true while the reader watches: just then the service has trouble. */
  isWatched(at: number): boolean;
  /** Since when changes of the selected set may be unknown, because of a trouble that ends less than `after` before `at`. */
  unsureSince(at: number, after: number): number;
  /** Returns true if a snapshot of that time lacks few members: they may be shown as unselected. */
  mayLeave(at: number, after: number): boolean;
  /** Returns true if the model list must not be believed, or was so less than `after` before. */
  areListsWrong(at: number, after: number): boolean;
}

/** Lets trouble come over the service and the gateway. */
export function makeWeather(start: number, service: Service, gateway: Gateway, plan: Plan): Weather {
  const { agenda } = service.news;
  const times = plan.news.map(([day, trouble]) => {
    const from = start + day * DAY - BEFORE;
    agenda.at(from, (at) => trouble.begin(service, at));
    agenda.at(from + trouble.until, () => trouble.end(service));
    return { from, until: from + trouble.until + trouble.doubt, isSmall: trouble.isSmall };
  });
  const lists = plan.lists.map(([day, trouble]) => {
    const from = start + day * DAY - BEFORE;
    agenda.at(from, () => (gateway.trouble = trouble));
    agenda.at(from + LIST_HOURS * HOUR, () => (gateway.trouble = null));
    return { from, until: from + LIST_HOURS * HOUR };
  });
  agenda.at(start + plan.pagedFrom * DAY, () => (gateway.paged = true));
  const within = (at: number, after: number) => (one: { from: number; until: number }) =>
    at >= one.from && at <= one.until + after;
  return {
    isWatched: (at) => times.some(({ from }) => Math.abs(at - from) < HOUR),
    unsureSince: (at, after) => Math.min(at, ...times.filter(within(at, after)).map(({ from }) => from - after)),
    mayLeave: (at, after) => times.filter(within(at, after)).some(({ isSmall }) => isSmall),
    areListsWrong: (at, after) => lists.some(within(at, after)),
  };
}
