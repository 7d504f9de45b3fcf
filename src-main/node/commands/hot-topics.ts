import { counted } from '../../common/numbers.ts';
import { sourceLabel } from '../../common/source-label.ts';
import type { RankedTopic } from '../../contract/model/hot-topic.ts';
import type { Invocation } from '../invocation.ts';
import { call } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { bold, dim, line, type Text } from '../styled-text.ts';
import { localTime } from '../terminal.ts';
import { topicAsJson } from './json-names.ts';
import { writeList } from './reading.ts';

export function listHotTopics(invocation: Invocation, { limit }: { limit?: number }): Promise<ExitCode> {
  return writeList(invocation, {
    ...(limit !== undefined && { limit }),
    read: async (wire) => (await call(wire, 'hotTopics.list', {})).topics,
    asJson: topicAsJson,
    format: topicText,
    empty: 'No hot topics saved yet: run `broadsheet sync`.',
  });
}

function topicText(topic: RankedTopic): Text {
  const { rank, moved, title, source, history, storyId, id } = topic;
  const facts = [
    sourceLabel(source.name) || null,
    topic.sourceCount === null ? null : counted(topic.sourceCount, 'source'),
    topic.signalCount === null ? null : counted(topic.signalCount, 'signal'),
    topic.participantCount === null ? null : counted(topic.participantCount, 'participant'),
    `since ${localTime(history.firstSeenAt)}`,
    `peak ${history.peak.rank}`,
    history.reentries === 0 ? null : `back ${counted(history.reentries, 'time')}`,
    storyId === null ? null : `story ${storyId}${topic.storyGoneAt === null ? '' : ' (no longer available)'}`,
  ].filter((fact) => fact !== null);
  return line`${String(rank).padStart(2)} ${moveText(moved)} ${bold(title)} - ${facts.join(', ')} ${dim(`[${id}]`)}`;
}

function moveText(moved: number | null): string {
  if (moved === null) return 'new';
  return (moved === 0 ? '=' : `${moved > 0 ? '+' : ''}${moved}`).padStart(3);
}
