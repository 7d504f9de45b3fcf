import { sourceLabel } from '../common/source-label.ts';
import type { Coverage, StoredStory, StoryNeighbor } from '../contract/model/story.ts';
import {
  createDocument,
  field,
  listSection,
  section,
  textBlock,
  timeField,
  type Audience,
  type Document,
  type Fact,
} from './document.ts';

export function storyDocument(story: StoredStory, by: Audience): Document {
  return createDocument({
    title: story.title,
    link: story.links.aihot,
    facts: fieldsOf(story, by),
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
  });
}

function fieldsOf(story: StoredStory, by: Audience): Fact[] {
  const { goneAt, reportCount, reports } = story;
  // The service may list fewer reports than it counts.
  const listed = reportCount !== null && reports.length < reportCount ? `, ${reports.length} listed` : '';
  return [
    ...field('Status', goneAt === null ? story.status : `no longer available since ${by.time(goneAt)}`),
    ...timeField('First report', story.firstReportAt, by),
    ...timeField('Newest', story.latestAt, by),
    ...timeField('Updated', story.digestUpdatedAt, by),
    ...field('Sources', story.sourceCount === null ? null : String(story.sourceCount)),
    ...field('Reports', reportCount === null ? null : `${reportCount}${listed}`),
    ...timeField('Followed', story.followedAt, by),
    ...timeField('Starred', story.starredAt, by),
    ...field('Page', story.links.aihot),
    ...timeField('Fetched', story.fetchedAt, by),
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
