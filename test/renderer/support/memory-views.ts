import type { Args, MethodName, Result } from '../../../src-main/contract/api.ts';
import type { EditionKind, EditionLine, StoredEdition } from '../../../src-main/contract/model/report.ts';
import type { HotTopics } from '../../../src-main/contract/model/hot-topic.ts';
import type { StoredStory, StoryLine } from '../../../src-main/contract/model/story.ts';
import { madeUpEdition, madeUpIndexes, madeUpRanking, madeUpStory } from './made-up-views.ts';

export type DeskMethod = Extract<
  MethodName,
  `hotTopics.${string}` | `stories.${string}` | `editions.${string}` | 'sync.attend'
>;
type DeskBodies = { [M in DeskMethod]: (args: Args<M>) => Result<M> };

/** Topics, stories and editions in memory, as the core keeps them. */
export class MemoryDesks {
  ranking: HotTopics;
  stories: Map<string, StoredStory>;
  /** Ids of stories that were merged, with the survivors'. */
  readonly aliases = new Map<string, string>();
  indexes: Record<EditionKind, EditionLine[]>;
  readonly readCitations = new Map<string, string | null>();
  attended: string | null = null;
  readonly #now: number;
  readonly #refuse: () => never;

  constructor(now: number, refuse: () => never) {
    this.#now = now;
    this.#refuse = refuse;
    this.ranking = madeUpRanking(now);
    this.indexes = madeUpIndexes(now);
    this.stories = new Map([0, 1, 2, 3].map((n) => [`story-${n}`, madeUpStory(n, now)]));
  }

  story(publicId: string): StoredStory {
    return this.stories.get(this.aliases.get(publicId) ?? publicId) ?? this.#refuse();
  }

  edition(kind: EditionKind, label: string): StoredEdition {
    const lines = this.indexes[kind];
    const at = lines.findIndex((line) => line.label === label);
    const line = lines[at];
    if (!line) return this.#refuse();
    const edition = madeUpEdition(line, this.#now, [lines[at + 1]?.label ?? null, lines[at - 1]?.label ?? null]);
    for (const citation of [...edition.sections.flatMap(({ items }) => items), ...edition.flashes]) {
      const readAt = citation.key === null ? undefined : this.readCitations.get(citation.key);
      if (readAt !== undefined) citation.readAt = readAt;
    }
    return edition;
  }

  readonly bodies: DeskBodies = {
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
      this.stories.set(story.publicId, { ...story, fresh: { reportIds: [], digest: false } });
      return story;
    },
    'stories.follow': ({ publicId, follow }) => {
      const story = this.story(publicId);
      this.stories.set(story.publicId, { ...story, followedAt: follow ? new Date(this.#now).toISOString() : null });
      return {};
    },
    'stories.star': ({ publicId, star }) => {
      const story = this.story(publicId);
      this.stories.set(story.publicId, { ...story, starredAt: star ? new Date(this.#now).toISOString() : null });
      return {};
    },
    'editions.index': ({ kind }) => ({ lines: this.indexes[kind] }),
    'editions.get': ({ kind, label }) => this.edition(kind, label),
    'editions.open': ({ kind, label }) => this.edition(kind, label),
    'editions.mark': ({ kind, label, read }) => {
      const readAt = read ? new Date(this.#now).toISOString() : null;
      this.indexes[kind] = this.indexes[kind].map((line) => (line.label === label ? { ...line, readAt } : line));
      return {};
    },
    'editions.markCitation': ({ key, read }) => {
      this.readCitations.set(key, read ? new Date(this.#now).toISOString() : null);
      return {};
    },
    'editions.render': ({ kind, label, format }) => {
      const edition = this.edition(kind, label);
      return { name: `${kind}-${label}.${format}`, mediaType: 'text/plain', text: `# ${edition.headline}` };
    },
  };

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
