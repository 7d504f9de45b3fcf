import { countOf } from '../../common/numbers.ts';
import { sourceLabel } from '../../common/source-label.ts';
import type { RankedTopic, StoryLine } from '../../contract/model/story.ts';
import { command, listCommand, text } from '../command.ts';
import { bold, dim, line, type Text, localTime } from '../terminal-text.ts';
import { listOptions } from './list-options.ts';

export const STORY_COMMANDS = {
  'list hot': listCommand({
    needs: 'reads',
    options: listOptions(),
    async *run({ limit }, { call }) {
      yield* (await call('hotTopics.list', {})).topics.slice(0, limit);
    },
    text: topicText,
    json: ({ history, ...topic }) => ({ ...topic, course: history }),
    empty: 'No hot topics saved yet: run `broadsheet sync`.',
  }),
  'list stories': listCommand({
    needs: 'reads',
    options: listOptions('starred'),
    async *run({ starred, limit }, { call }) {
      yield* (await call('stories.list', { which: starred ? 'starred' : 'all' })).stories.slice(0, limit);
    },
    text: lineText,
    empty: 'No matching stories saved.',
  }),
  // A story that was merged into another one is shown as that one.
  'show story': command({
    needs: 'reads',
    args: { id: text('', 128) },
    run: ({ id }, { call }) => call('stories.get', { publicId: id }),
    text: async (story) => (await import('./document-text.ts')).storyText(story),
  }),
};

function topicText(topic: RankedTopic): Text {
  const { rank, moved, title, source, history, storyId, id } = topic;
  const facts = [
    sourceLabel(source.name) || null,
    topic.sourceCount === null ? null : countOf(topic.sourceCount, 'source'),
    topic.signalCount === null ? null : countOf(topic.signalCount, 'signal'),
    topic.participantCount === null ? null : countOf(topic.participantCount, 'participant'),
    `since ${localTime(history.firstSeenAt)}`,
    `peak ${history.peak.rank}`,
    history.reentries === 0 ? null : `back ${countOf(history.reentries, 'time')}`,
    storyId === null ? null : `story ${storyId}${topic.storyGoneAt === null ? '' : ' (no longer available)'}`,
  ].filter((fact) => fact !== null);
  return line`${String(rank).padStart(2)} ${moveText(moved)} ${bold(title)} - ${facts.join(', ')} ${dim(`[${id}]`)}`;
}

function moveText(moved: number | null): string {
  if (moved === null) return 'new';
  return (moved === 0 ? '=' : `${moved > 0 ? '+' : ''}${moved}`).padStart(3);
}

function lineText(story: StoryLine): Text {
  const marks = `${story.starredAt === null ? ' ' : '*'}${story.followedAt === null ? ' ' : 'f'}`;
  const facts = [
    story.goneAt === null ? story.status : null,
    story.reportCount === null ? null : countOf(story.reportCount, 'report'),
    story.freshReports === 0 ? null : `${story.freshReports} new`,
    story.hot ? 'hot' : null,
    story.goneAt === null ? null : 'no longer available',
  ].filter((fact) => fact !== null);
  const details = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return line`${marks} ${dim(localTime(story.latestAt))} ${bold(story.title)}${details} ${dim(`[${story.publicId}]`)}`;
}
