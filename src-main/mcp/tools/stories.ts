import { z } from 'zod';
import { storyId } from '../../contract/guards.ts';
import { citationLines, cite, idText, lineOf, linkOf, MAX_LENGTH, passageOf } from '../citation.ts';
import { pageArguments, pageOf, pageText, tool, type Answer } from '../tool.ts';

const MAX_TOPICS = 20;

export const listHotTopics = tool({
  name: 'list_hot_topics',
  title: 'List the hot topics',
  description:
    "The news service's current ranking of topics, as last downloaded, with citations. get_story reads one whose story is saved.",
  input: z.strictObject({}),
  resource: () => 'hotTopics',
  async run(_args, { call }): Promise<Answer> {
    const { topics } = await call('hotTopics.list', {});
    const shown = topics.slice(0, MAX_TOPICS).map((topic) => ({
      rank: topic.rank,
      ...cite(topic, topic.latestAt),
      page: linkOf(topic.links.story) ?? linkOf(topic.links.aihot),
      itemId: topic.id,
      storyId: topic.storyId,
      storySaved: topic.storySaved,
      sources: topic.sourceCount,
      moved: topic.moved,
      rankedSince: topic.history.firstSeenAt,
    }));
    return {
      intro: `${String(shown.length)} hot topics, by rank.`,
      facts: {},
      quoted: { topics: shown },
      lines: shown.flatMap((topic) =>
        citationLines(`${String(topic.rank)}.`, topic, [
          topic.storyId !== null && topic.storySaved
            ? `story id: ${idText(topic.storyId)}`
            : `item id: ${idText(topic.itemId)}`,
        ]),
      ),
    };
  },
});

export const getStory = tool({
  name: 'get_story',
  title: 'Read a story',
  description: 'One saved story: its digest, and the reports about it, newest first, with citations.',
  input: z.strictObject({
    id: storyId.describe('The id of a story, as search and list_hot_topics give it'),
    ...pageArguments(50, 20, 10_000),
  }),
  resource: () => 'stories',
  async run({ id, ...asked }, { call }): Promise<Answer> {
    const story = await call('stories.get', { publicId: id });
    const { rows, facts } = pageOf(story.reports, asked);
    const reports = rows.map((report) => ({
      ...cite(report, report.publishedAt),
      itemId: report.itemId,
      firstParty: report.source.firstParty,
      summary: passageOf(report.summary, MAX_LENGTH.summary),
    }));
    const shown = {
      id: story.publicId,
      title: lineOf(story.title),
      status: lineOf(story.status, MAX_LENGTH.name),
      page: linkOf(story.links.aihot),
      time: lineOf(story.latestAt, MAX_LENGTH.name),
      latest: asked.offset === 0 ? passageOf(story.latest) : null,
      digest: asked.offset === 0 ? passageOf(story.digest) : null,
      removedAt: story.goneAt,
      sources: story.sourceCount,
      reports,
    };
    const removed = story.goneAt === null ? '' : ` The news service no longer has it (since ${story.goneAt}).`;
    return {
      intro: `A story: ${pageText(rows.length, 'reports', facts)}${removed}`,
      facts,
      quoted: { story: shown },
      lines: [
        shown.title ?? '(no title)',
        ...[shown.page, shown.latest, shown.digest].flatMap((text) => text?.split('\n') ?? []),
        ...reports.flatMap((report, at) =>
          citationLines(`${String(asked.offset + at + 1)}.`, report, [
            report.itemId === null ? null : `id: ${idText(report.itemId)}`,
            report.summary,
          ]),
        ),
      ],
    };
  },
});
