import { sourceLabel } from '../../common/source-label.ts';
import type { Coverage, StoredStory, StoryLine, StoryNeighbor } from '../../contract/model/story.ts';
import type { Invocation } from '../invocation.ts';
import { call } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { counted, localTime, oneLine, severalLines } from '../terminal.ts';
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

function lineText(line: StoryLine): string {
  const marks = `${line.starredAt === null ? ' ' : '*'}${line.followedAt === null ? ' ' : 'f'}`;
  const facts = [
    line.goneAt === null ? line.status : null,
    line.reportCount === null ? null : counted(line.reportCount, 'report'),
    line.freshReports === 0 ? null : `${line.freshReports} new`,
    line.hot ? 'hot' : null,
    line.goneAt === null ? null : 'no longer available',
  ].filter((fact) => fact !== null);
  const details = facts.length === 0 ? '' : ` (${facts.join(', ')})`;
  return oneLine(`${marks} ${localTime(line.latestAt)} ${line.title}${details} [${line.publicId}]`);
}

function storyText(story: StoredStory): string {
  return [
    oneLine(story.title),
    ...factLines(factsOf(story)),
    ...textOf('Latest', story.latest),
    ...textOf('Digest', story.digest),
    ...sectionOf('Reports, newest first', story.reports, (report) =>
      reportText(report, story.fresh.reportIds.includes(report.id)),
    ),
    ...sectionOf('Same storyline', story.storyline, neighborText),
    ...sectionOf('Related', story.related, neighborText),
  ].join('\n');
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

function textOf(heading: string, text: string | null): string[] {
  return text === null ? [] : ['', heading, severalLines(text)];
}

function sectionOf<T>(heading: string, records: readonly T[], format: (record: T) => string): string[] {
  return records.length === 0 ? [] : ['', heading, ...records.map((record) => oneLine(format(record)))];
}

function reportText({ title, source, publishedAt, id, links }: Coverage, fresh: boolean): string {
  const by = [sourceLabel(source.name), source.firstParty ? 'primary source' : '', fresh ? 'new' : ''].filter(Boolean);
  const from = by.length === 0 ? '' : ` - ${by.join(', ')}`;
  return `  ${localTime(publishedAt)} ${title}${from} ${links.original ?? ''} [${id}]`;
}

function neighborText({ title, relation, publicId }: StoryNeighbor): string {
  return `  ${title}${relation === null ? '' : ` (${relation})`} [${publicId}]`;
}
