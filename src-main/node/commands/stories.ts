import { counted } from '../../common/numbers.ts';
import { sourceLabel } from '../../common/source-label.ts';
import type { Coverage, StoredStory, StoryLine, StoryNeighbor } from '../../contract/model/story.ts';
import type { Invocation } from '../invocation.ts';
import { call } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { bold, dim, line, lines, type Text } from '../styled-text.ts';
import { localTime, severalLines } from '../terminal.ts';
import { factLines, writeList, writeOne } from './reading.ts';

interface Options {
  starred?: boolean;
  limit?: number;
}

/** Prints saved stories, most recently updated first. */
export function listStories(invocation: Invocation, { starred = false, limit }: Options): Promise<ExitCode> {
  return writeList(invocation, {
    ...(limit !== undefined && { limit }),
    read: async (wire) => (await call(wire, 'stories.list', { which: starred ? 'starred' : 'all' })).stories,
    format: lineText,
    empty: 'No matching stories saved.',
  });
}

/** Prints a saved story in full, or the one that it was merged into. Errors: `not_found`. */
export function showStory(invocation: Invocation, publicId: string): Promise<ExitCode> {
  return writeOne(invocation, {
    read: (wire) => call(wire, 'stories.get', { publicId }),
    format: storyText,
  });
}

function lineText(story: StoryLine): Text {
  const marks = `${story.starredAt === null ? ' ' : '*'}${story.followedAt === null ? ' ' : 'f'}`;
  const facts = [
    story.goneAt === null ? story.status : null,
    story.reportCount === null ? null : counted(story.reportCount, 'report'),
    story.freshReports === 0 ? null : `${story.freshReports} new`,
    story.hot ? 'hot' : null,
    story.goneAt === null ? null : 'no longer available',
  ].filter((fact) => fact !== null);
  const details = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return line`${marks} ${dim(localTime(story.latestAt))} ${bold(story.title)}${details} ${dim(`[${story.publicId}]`)}`;
}

function storyText(story: StoredStory): Text {
  return lines([
    bold(story.title),
    ...factLines(factsOf(story)),
    ...textOf('Latest', story.latest),
    ...textOf('Digest', story.digest),
    ...sectionOf('Reports, newest first', story.reports, (report) =>
      reportText(report, story.fresh.reportIds.includes(report.id)),
    ),
    ...sectionOf('Same storyline', story.storyline, neighborText),
    ...sectionOf('Related', story.related, neighborText),
  ]);
}

function factsOf(story: StoredStory): [name: string, value: string | null][] {
  return [
    ['Status', story.goneAt === null ? story.status : `no longer available since ${localTime(story.goneAt)}`],
    ['First report', story.firstReportAt && localTime(story.firstReportAt)],
    ['Newest', story.latestAt && localTime(story.latestAt)],
    ['Updated', story.digestUpdatedAt && localTime(story.digestUpdatedAt)],
    ['Sources', story.sourceCount === null ? null : String(story.sourceCount)],
    ['Reports', reportsText(story)],
    ['Followed', story.followedAt && localTime(story.followedAt)],
    ['Starred', story.starredAt && localTime(story.starredAt)],
    ['Page', story.links.aihot],
    ['Fetched', localTime(story.fetchedAt)],
    ['Id', story.publicId],
  ];
}

/** A service may list fewer reports than it counts. */
function reportsText({ reportCount, reports }: StoredStory): string | null {
  if (reportCount === null) return null;
  return reports.length < reportCount ? `${reportCount}, ${reports.length} listed` : String(reportCount);
}

function textOf(heading: string, text: string | null): Text[] {
  return text === null ? [] : ['', bold(heading), severalLines(text)];
}

function sectionOf<T>(heading: string, records: readonly T[], format: (record: T) => Text): Text[] {
  return records.length === 0 ? [] : ['', bold(heading), ...records.map(format)];
}

function reportText({ title, source, publishedAt, id, links }: Coverage, fresh: boolean): Text {
  const by = [sourceLabel(source.name), source.firstParty ? 'primary source' : '', fresh ? 'new' : ''].filter(Boolean);
  const from = by.length === 0 ? '' : ` - ${by.join(', ')}`;
  return line`  ${dim(localTime(publishedAt))} ${title}${from} ${links.original ?? ''} ${dim(`[${id}]`)}`;
}

function neighborText({ title, relation, publicId }: StoryNeighbor): Text {
  return line`  ${title}${relation === null ? '' : ` (${relation})`} ${dim(`[${publicId}]`)}`;
}
