import { sourceLabel } from '../common/source-label.ts';
import type { Coverage, StoredStory, StoryNeighbor } from '../contract/model/story.ts';
import { field, listSection, section, textBlock, type Audience, type Document, type Fact } from './document.ts';

export function storyDocument(story: StoredStory, by: Audience): Document {
  return {
    name: null,
    title: story.title,
    link: story.links.aihot,
    subtitle: null,
    facts: fieldsOf(story, by),
    notices: [],
    intro: [],
    blocks: [
      ...section('Latest', textBlock(story.latest)),
      ...section('Digest', textBlock(story.digest)),
      ...listSection(
        'Reports, newest first',
        story.reports.map((report) => reportFact(report, story, by)),
      ),
      ...listSection('Same storyline', story.storyline.map(neighborFact)),
      ...listSection('Related', story.related.map(neighborFact)),
    ],
    footer: [],
  };
}

function fieldsOf(story: StoredStory, by: Audience): Fact[] {
  const timeOf = (at: string | null): string | null => at && by.time(at);
  const { goneAt, reportCount, reports } = story;
  // The service may list fewer reports than it counts.
  const listed = reportCount !== null && reports.length < reportCount ? `, ${reports.length} listed` : '';
  return [
    ...field('Status', goneAt === null ? story.status : `no longer available since ${by.time(goneAt)}`),
    ...field('First report', timeOf(story.firstReportAt)),
    ...field('Newest', timeOf(story.latestAt)),
    ...field('Updated', timeOf(story.digestUpdatedAt)),
    ...field('Sources', story.sourceCount === null ? null : String(story.sourceCount)),
    ...field('Reports', reportCount === null ? null : `${reportCount}${listed}`),
    ...field('Followed', timeOf(story.followedAt)),
    ...field('Starred', timeOf(story.starredAt)),
    ...field('Page', story.links.aihot),
    ...field('Fetched', by.time(story.fetchedAt)),
    ...field('Id', story.publicId),
  ];
}

function reportFact({ title, source, publishedAt, id, links }: Coverage, { fresh }: StoredStory, by: Audience): Fact {
  const isNew = fresh.reportIds.includes(id);
  const from = [sourceLabel(source.name), source.firstParty ? 'primary source' : '', isNew ? 'new' : ''].filter(
    Boolean,
  );
  return {
    spans: [
      { text: publishedAt === null ? '-' : by.time(publishedAt), minor: true },
      { text: from.length === 0 ? title : `${title} - ${from.join(', ')}` },
      ...(links.original === null ? [] : [{ text: links.original, link: links.original }]),
      { text: `[${id}]`, minor: true },
    ],
  };
}

function neighborFact({ title, relation, publicId }: StoryNeighbor): Fact {
  return {
    spans: [{ text: relation === null ? title : `${title} (${relation})` }, { text: `[${publicId}]`, minor: true }],
  };
}
