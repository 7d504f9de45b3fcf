import type { Events } from '../../../src-main/contract/events.ts';
import type { Args, MethodName, Result } from '../../../src-main/contract/methods.ts';
import type { ReportKind, ReportLine, StoredReport } from '../../../src-main/contract/model/report.ts';
import type { HotTopics, StoredStory, StoryLine } from '../../../src-main/contract/model/story.ts';
import type { Today } from '../../../src-main/contract/model/today.ts';
import { reportLength } from '../../../src-main/common/readable-report.ts';
import { madeUpReport, madeUpIndexes, madeUpRanking, madeUpStory } from './made-up-views.ts';

export type GroupMethod = Extract<
  MethodName,
  `hotTopics.${string}` | `stories.${string}` | `reports.${string}` | 'sync.attend' | 'today.get'
>;
type ViewBodies = { [M in GroupMethod]: (args: Args<M>) => Result<M> };

/** Topics, stories and reports in memory, as the core keeps them. */
export class MemoryViews {
  ranking: HotTopics;
  stories: Map<string, StoredStory>;
  /** Ids of stories that were merged, with the survivors'. */
  readonly aliases = new Map<string, string>();
  indexes: Record<ReportKind, ReportLine[]>;
  readonly readCitations = new Map<string, string | null>();
  attended: string | null = null;
  /** The part of the front page about models. */
  changedModels: Today['models'] = null;
  readonly #now: number;
  readonly #emit: (event: 'stories.changed', payload: Events['stories.changed']) => void;
  readonly #refuse: () => never;

  constructor(
    now: number,
    emit: (event: 'stories.changed', payload: Events['stories.changed']) => void,
    refuse: () => never,
  ) {
    this.#now = now;
    this.#emit = emit;
    this.#refuse = refuse;
    this.ranking = madeUpRanking(now);
    this.indexes = madeUpIndexes(now);
    this.stories = new Map([0, 1, 2, 3].map((n) => [`story-${n}`, madeUpStory(n, now)]));
  }

  story(publicId: string): StoredStory {
    return this.stories.get(this.aliases.get(publicId) ?? publicId) ?? this.#refuse();
  }

  #change(story: StoredStory, changes: Partial<StoredStory>): void {
    this.stories.set(story.publicId, { ...story, ...changes });
    this.#emit('stories.changed', { publicIds: [story.publicId] });
  }

  report(kind: ReportKind, label: string): StoredReport {
    const lines = this.indexes[kind];
    const at = lines.findIndex((line) => line.label === label);
    const line = lines[at];
    if (!line) return this.#refuse();
    const report = madeUpReport(line, this.#now, [lines[at + 1]?.label ?? null, lines[at - 1]?.label ?? null]);
    for (const citation of [...report.sections.flatMap(({ items }) => items), ...report.flashes]) {
      const readAt = citation.key === null ? undefined : this.readCitations.get(citation.key);
      if (readAt !== undefined) citation.readAt = readAt;
    }
    return report;
  }

  readonly bodies: ViewBodies = {
    'sync.attend': ({ to }) => {
      this.attended = to;
      return {};
    },
    'hotTopics.list': () => this.ranking,
    'stories.list': ({ which }) => ({
      stories: [...this.stories.values()].map((s) => this.#line(s)).filter(of(which)),
    }),
    'stories.get': ({ publicId }) => this.story(publicId),
    'stories.open': ({ publicId }) => {
      const story = this.story(publicId);
      const { fresh } = story;
      if (fresh.reportIds.length > 0 || fresh.digest) {
        this.#change(story, { fresh: { reportIds: [], digest: false } });
      }
      return story;
    },
    'stories.follow': ({ publicId, follow }) => {
      this.#change(this.story(publicId), { followedAt: follow ? new Date(this.#now).toISOString() : null });
      return {};
    },
    'stories.star': ({ publicId, star }) => {
      this.#change(this.story(publicId), { starredAt: star ? new Date(this.#now).toISOString() : null });
      return {};
    },
    'reports.index': ({ kind }) => ({ lines: this.indexes[kind] }),
    'reports.get': ({ kind, label }) => this.report(kind, label),
    'reports.open': ({ kind, label }) => this.report(kind, label),
    'reports.mark': ({ kind, label, read }) => {
      const readAt = read ? new Date(this.#now).toISOString() : null;
      this.indexes[kind] = this.indexes[kind].map((line) => (line.label === label ? { ...line, readAt } : line));
      return {};
    },
    'reports.markCitations': ({ keys, read }) => {
      for (const key of keys) this.readCitations.set(key, read ? new Date(this.#now).toISOString() : null);
      return {};
    },
    'today.get': () => this.#today(),
    'reports.feed': ({ labels }) => ({
      text: labels.join(' '),
      count: labels.length,
      left: 0,
      updatedAt: '2026-03-18T00:00:00.000Z',
    }),
    'reports.feedFrame': ({ kind, month = 'all', updatedAt = 'now' }) => ({
      ...{ name: `broadsheet-${kind}-${month}.atom.xml`, mediaType: 'application/atom+xml' },
      ...{ head: `<${updatedAt}> `, separator: ' ', tail: ' </>' },
    }),
    'reports.book': ({ kind, labels, month = 'some' }) => ({
      ...{ name: `${kind}-${month}.epub`, mediaType: 'application/epub+zip', base64: btoa(labels.join(' ')) },
    }),
    'reports.render': ({ kind, label, format }) => {
      const report = this.report(kind, label);
      return { name: `${kind}-${label}.${format}`, mediaType: 'text/plain', text: `# ${report.headline}` };
    },
  };

  #today(): Today {
    const [line] = this.indexes.daily;
    const [weekly] = this.indexes.weekly;
    const { topics, since } = this.ranking;
    const followed = [...this.stories.values()].map((story) => this.#line(story)).filter(of('followed'));
    const withNews = followed.filter(({ freshReports }) => freshReports > 0);
    return {
      daily: line ? frontOf(this.report('daily', line.label)) : null,
      alsoNew: weekly?.readAt === null ? [{ kind: 'weekly', label: weekly.label, headline: weekly.headline }] : [],
      topics: {
        top: topics.slice(0, 5),
        since,
        compared: topics.some(({ moved }) => moved !== null),
        unseen: topics.filter(({ readAt }) => readAt === null).length,
      },
      stories: { lines: withNews.slice(0, 5), withNews: withNews.length, followed: followed.length },
      models: this.changedModels,
    };
  }

  #line(story: StoredStory): StoryLine {
    const { publicId, title, status, latest, latestAt, sourceCount, reportCount } = story;
    return {
      ...{ publicId, title, status, latest, latestAt, sourceCount, reportCount },
      ...{ followedAt: story.followedAt, starredAt: story.starredAt, goneAt: story.goneAt },
      freshReports: story.followedAt === null ? 0 : story.fresh.reportIds.length,
      hot: this.ranking.topics.some(({ storyId }) => storyId === publicId),
    };
  }
}

function frontOf(report: StoredReport): Today['daily'] {
  const { kind, label, generatedAt, goneAt, readAt, headline, overview } = report;
  const firstStories = report.sections.flatMap(({ label: section, items: [first] }) =>
    first ? [{ ...first, section }] : [],
  );
  return { kind, label, generatedAt, goneAt, readAt, headline, overview, firstStories, ...reportLength(report) };
}

function of(which: Args<'stories.list'>['which']): (line: StoryLine) => boolean {
  switch (which) {
    case 'all':
      return () => true;
    case 'hot':
      return (line) => line.hot;
    case 'followed':
      return (line) => line.followedAt !== null;
    case 'starred':
      return (line) => line.starredAt !== null;
  }
}
