import { z } from 'zod';
import { numberIn } from '../../common/numbers.ts';
import { BroadsheetError } from '../../contract/errors.ts';
import { isJsonObject, type Json, type JsonObject } from '../../contract/model/model.ts';
import { isStoryId, MAX_STORY_ID } from '../../contract/model/record.ts';
import type { Coverage, HotTopic, Story, StoryNeighbor } from '../../contract/model/story.ts';
import {
  count,
  DOCUMENT,
  flagIn,
  linksReader,
  list,
  namesOf,
  PARAGRAPH,
  sourceOf,
  text,
  textOf,
  texts,
  time,
  title,
} from '../parsing/fields.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  checkPage,
  distinctBy,
  lostField,
  lostFields,
  readList,
  readRecords,
  recordId,
  skip,
  skipFor,
  unknownMembers,
  type Parsed,
  type Records,
  type Skipped,
} from '../parsing/records.ts';

export interface StoryAnswer {
  story: Story;
  skipped: Skipped[];
}

const storyFields = z.object({
  publicId: text,
  title,
  status: text,
  sourceCount: count,
  reportCount: count,
  firstReportAt: time,
  latestAt: time,
  latest: textOf(PARAGRAPH),
  digest: textOf(DOCUMENT),
  digestUpdatedAt: time,
});
const STORY_FIELDS = namesOf(storyFields, 'links', 'reports', 'storyline', 'related');
const storyLinks = linksReader('aihot');
/** Real stories list up to 50 reports of a thousand characters, and a few neighbors. */
const COVERAGE_LIMITS = { most: 500, room: 1_000_000 };
const NEIGHBOR_LIMITS = { most: 200, room: 200_000 };

const storyEnvelope = z.object({ story: z.record(z.string(), z.unknown(), 'is missing or not an object') });

/** Requires only the title. `addressId`, from the final address, replaces a missing id. Errors: `invalid_body`. */
export function readStory(value: unknown, addressId: string): StoryAnswer {
  checkEnvelope(storyEnvelope, value);
  const raw = (value as { story: JsonObject }).story;
  const { publicId, ...fields } = checkEnvelope(storyFields, raw);
  if (publicId !== null && !isPublicId(publicId)) throw brokenEnvelope('publicId is not a valid story id');
  const reports = distinctBy(readList(raw['reports'], readCoverage, COVERAGE_LIMITS), ({ id }) => id);
  const storyline = readNeighbors(raw['storyline']);
  const related = readNeighbors(raw['related']);
  const story: Story = {
    publicId: publicId ?? addressId,
    ...fields,
    links: storyLinks(raw),
    reports: reports.records.sort(newestFirst),
    storyline: storyline.records,
    related: related.records,
    extra: unknownMembers(raw, STORY_FIELDS),
  };
  const lost = lostFields(raw, story).map((name) => lostField(raw, name));
  return { story, skipped: [...lost, ...reports.skipped, ...storyline.skipped, ...related.skipped] };
}

/** Accepts another story, which takes over the follow, star and note, after a redirect only (document 1 section 3). */
export function readRequestedStory(publicId: string, value: unknown, address: string): StoryAnswer {
  const addressId = storyAt(address) ?? publicId;
  const answer = readStory(value, addressId);
  if (addressId !== publicId || answer.story.publicId === publicId) return answer;
  throw brokenEnvelope('it contains another story than the requested one');
}

const coverageFields = z.object({
  id: recordId,
  title,
  summary: textOf(PARAGRAPH),
  publishedAt: time,
});
const COVERAGE_FIELDS = namesOf(coverageFields, 'source', 'links');
const coverageLinks = linksReader('aihot', 'original');

function readCoverage(raw: JsonObject): Parsed<Coverage> {
  const checked = coverageFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const source = raw['source'];
  const report: Coverage = {
    ...checked.data,
    source: { ...sourceOf(raw), firstParty: isJsonObject(source) && flagIn(source['firstParty']) === true },
    links: coverageLinks(raw),
    extra: unknownMembers(raw, COVERAGE_FIELDS),
  };
  return { record: report };
}

function readNeighbors(values: Json | undefined): Records<StoryNeighbor> {
  return distinctBy(readList(values, readNeighbor, NEIGHBOR_LIMITS), ({ publicId }) => publicId);
}

const neighborFields = z.object({ publicId: z.string('is missing or not a string'), title, relation: text });
const NEIGHBOR_FIELDS = namesOf(neighborFields, 'links');
const neighborLinks = linksReader('aihot', 'api');

function readNeighbor(raw: JsonObject): Parsed<StoryNeighbor> {
  const checked = neighborFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  if (!isPublicId(checked.data.publicId)) return skip(raw, 'publicId is not a valid story id');
  return { record: { ...checked.data, links: neighborLinks(raw), extra: unknownMembers(raw, NEIGHBOR_FIELDS) } };
}

function newestFirst(a: Coverage, b: Coverage): number {
  return timeOf(b) - timeOf(a);
}

function timeOf({ publishedAt }: Coverage): number {
  const ms = publishedAt === null ? NaN : Date.parse(publishedAt);
  return Number.isNaN(ms) ? 0 : ms;
}

/** Rejects path segments that URL parsers drop. */
export function isPublicId(id: string): boolean {
  return isStoryId(id) && id.isWellFormed() && !id.includes('\0') && id !== '.' && id !== '..';
}

export function checkPublicId(id: string): void {
  if (isPublicId(id)) return;
  throw new BroadsheetError('invalid_argument', `publicId must have 1 to ${MAX_STORY_ID} characters.`);
}

/** Returns the last path segment of a story's page or API (document 1 section 4.2), null if it is no valid id. */
export function storyAt(address: string | null): string | null {
  const url = address === null ? null : URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return null;
  const segment = url.pathname.split('/').findLast((part) => part !== '');
  const id = segment === undefined ? null : decode(segment);
  return id !== null && isPublicId(id) ? id : null;
}

function decode(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

export interface HotTopicsAnswer {
  topics: HotTopic[];
  skipped: Skipped[];
}

/** Document 1 section 2. */
const LAST_RANK = 10;
const USUAL_TOPICS = 45;

const topicFields = z.object({
  rank: z.preprocess(
    numberIn,
    z
      .int('is missing or not a whole number')
      .min(1, 'is below 1')
      .max(LAST_RANK, `is above ${String(LAST_RANK)}`),
  ),
  id: recordId,
  title,
  sourceCount: count,
  signalCount: count,
  participantCount: count,
  sourceNames: texts,
  latestAt: time,
});
const TOPIC_FIELDS = namesOf(topicFields, 'source', 'links');
const topicLinks = linksReader('aihot', 'original', 'story');
const topicsEnvelope = z.object({ items: list });

/** Allows gaps between ranks. Errors: `invalid_body`, also if no record is valid. */
export function readHotTopics(value: unknown): HotTopicsAnswer {
  const { items } = checkEnvelope(topicsEnvelope, value);
  const topics = readRecords(checkPage(items, USUAL_TOPICS), readTopic);
  const different = distinctBy(topics, (topic) => JSON.stringify(topic));
  // One article can lead two topics, but a rank is that of one.
  const { records, skipped } = distinctBy(different, ({ rank }) => rank, 'its rank is taken');
  if (records.length === 0 && skipped.length > 0) throw brokenEnvelope('none of its topics is valid');
  return { topics: records.sort((a, b) => a.rank - b.rank), skipped };
}

function readTopic(raw: JsonObject): Parsed<HotTopic> {
  const checked = topicFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const { rank, id, title, ...fields } = checked.data;
  const topic: HotTopic = {
    rank,
    id,
    title,
    source: sourceOf(raw),
    links: topicLinks(raw),
    ...fields,
    extra: unknownMembers(raw, TOPIC_FIELDS),
  };
  return { record: topic };
}
