import type { Item, News, NewsEvent } from './news.ts';
import { DAY, digest, HOUR, MINUTE, rfc3339, share } from './random.ts';

export interface Story {
  publicId: string;
  event: NewsEvent;
  title: string;
  digest: string | null;
  digestAt: number | null;
  latestAt: number;
  settled: boolean;
  mergedInto: Story | null;
  /** 404 before this time. */
  missingUntil: number;
  neighbours: Story[];
}

export interface Stories {
  byId: ReadonlyMap<string, Story>;
  /** The reports of a story and of those that were merged into it, newest first. */
  reports(story: Story): Item[];
  record(story: Story, origin: string, names: readonly string[]): object;
  topics(now: number, origin: string, names: readonly string[]): object;
}

const appearance = (item: Item): number => item.publishedAt ?? item.discoveredAt;

export function makeStories(news: News): Stories {
  const byId = new Map<string, Story>();
  const byEvent = new Map<NewsEvent, Story>();
  const { dice, agenda } = news;

  const survivor = (story: Story): Story => (story.mergedInto ? survivor(story.mergedInto) : story);

  function grow(story: Story, item: Item, at: number) {
    story.latestAt = at;
    story.settled = false;
    story.title = item.title;
    story.digest = `Digest with ${story.event.items.length} reports. ${item.title}`;
    story.digestAt = at;
    agenda.at(at + 3 * DAY, (time) => {
      if (time - story.latestAt >= 3 * DAY) story.settled = true;
    });
  }

  news.onArrival((item, at) => {
    let story = byEvent.get(item.event);
    if (!story && item.event.items.length < 2) return;
    if (!story) {
      const earlier = [...byId.values()].slice(-40);
      story = {
        publicId: `story-${digest(item.event.id)}`,
        event: item.event,
        title: item.title,
        digest: null,
        digestAt: null,
        latestAt: at,
        settled: false,
        mergedInto: null,
        missingUntil: 0,
        neighbours: earlier.length > 0 ? [dice.pick(earlier), dice.pick(earlier)] : [],
      };
      const made = story;
      byEvent.set(item.event, made);
      byId.set(made.publicId, made);
      if (dice.chance(0.12) && earlier.length > 0) {
        const into = dice.pick(earlier.slice(-15));
        agenda.at(at + dice.between(2, 40) * HOUR, (time) => {
          if (survivor(into) === made || made.mergedInto) return;
          made.mergedInto = survivor(into);
          grow(survivor(into), item, time);
        });
      }
      if (dice.chance(0.08)) {
        agenda.at(at + dice.between(1, 30) * HOUR, (time) => (made.missingUntil = time + dice.between(2, 200) * HOUR));
      }
    }
    grow(survivor(story), item, at);
  });

  const reports = (story: Story): Item[] =>
    [...byId.values()]
      .filter((one) => survivor(one) === story)
      .flatMap((one) => one.event.items)
      .filter((item) => !item.withdrawn)
      .sort((a, b) => appearance(b) - appearance(a) || (a.id < b.id ? -1 : 1));

  function neighbour(story: Story, relation: string, origin: string) {
    return {
      publicId: story.publicId,
      title: story.title,
      relation,
      links: { aihot: `${origin}/story/${story.publicId}`, api: `${origin}/api/v1/stories/${story.publicId}` },
    };
  }

  function record(story: Story, origin: string, names: readonly string[]) {
    const list = reports(story).map((item) => ({
      id: item.id,
      title: item.title,
      summary: item.summary,
      source: { name: names[item.source], firstParty: item.source === 0 },
      publishedAt: rfc3339(appearance(item)),
      links: { aihot: `${origin}/items/${item.id}`, original: item.link },
    }));
    const first = list[0];
    // Nothing promises that an article occurs once.
    if (first && share(story.publicId) < 0.2) list.push(first);
    return {
      story: {
        publicId: story.publicId,
        title: story.title,
        status: story.settled ? 'settled' : 'active',
        sourceCount: new Set(list.map((one) => one.source.name)).size,
        reportCount: list.length,
        firstReportAt: rfc3339(story.event.firstAt),
        latestAt: rfc3339(story.latestAt),
        latest: story.title,
        digest: story.digest,
        digestUpdatedAt: story.digestAt === null ? null : rfc3339(story.digestAt),
        links: { aihot: `${origin}/story/${story.publicId}` },
        reports: list,
        storyline: story.neighbours.slice(0, 1).map((one) => neighbour(one, 'same-storyline', origin)),
        related: story.neighbours.slice(1).map((one) => neighbour(one, 'related', origin)),
      },
    };
  }

  function topics(now: number, origin: string, names: readonly string[]) {
    const refresh = Math.floor(now / (5 * MINUTE));
    const heat = (story: Story) =>
      story.event.items.length +
      share(`${story.publicId} ${Math.floor(refresh / 4)}`) * 2 -
      (now - story.latestAt) / DAY;
    const hottest = [...byId.values()]
      .filter((story) => now - story.latestAt < 2 * DAY && !story.mergedInto && reports(story).length > 0)
      .sort((a, b) => heat(b) - heat(a))
      .slice(0, 10);
    const gap = share(`gap ${refresh}`) < 0.3 ? Math.floor(share(`rank ${refresh}`) * 9) : -1;
    const leaders = hottest.map((story) => reports(story)[0]!);
    // One article can lead two topics.
    if (leaders.length > 4 && share(`twice ${Math.floor(refresh / 12)}`) < 0.5) leaders[3] = leaders[1]!;
    const items = hottest.flatMap((story, place) => {
      const leader = leaders[place]!;
      if (place === gap) return [];
      const sources = [...new Set(reports(story).map((item) => names[item.source]))];
      const story_ = share(`no story ${story.publicId}`) < 0.1 ? {} : { story: `${origin}/story/${story.publicId}` };
      return {
        rank: place + 1,
        id: leader.id,
        title: leader.title,
        source: { name: names[leader.source] },
        links: { aihot: `${origin}/items/${leader.id}`, original: leader.link, ...story_ },
        sourceCount: sources.length,
        signalCount: story.event.items.length * 3,
        participantCount: null,
        sourceNames: sources,
        latestAt: rfc3339(story.latestAt),
      };
    });
    return { count: items.length, items };
  }
  return { byId, reports, record, topics };
}
