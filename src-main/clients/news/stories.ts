import { z } from 'zod';
import type { Json } from '../../contract/model/model.ts';
import type { Coverage, Story, StoryNeighbor } from '../../contract/model/story.ts';
import { count, flagIn, linksOf, sourceOf, text, textOf, time, title } from '../parsing/fields.ts';
import { DOCUMENT, PARAGRAPH } from '../parsing/limits.ts';
import {
  brokenEnvelope,
  checkEnvelope,
  distinctBy,
  isRecord,
  lostField,
  lostFields,
  readList,
  skip,
  skipFor,
  unknownMembers,
  type RawRecord,
  type Parsed,
  type Records,
  type Skipped,
} from '../parsing/records.ts';
import { BroadsheetError } from '../../contract/errors.ts';

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
const STORY_FIELDS = new Set([...Object.keys(storyFields.shape), 'links', 'reports', 'storyline', 'related']);
const STORY_LINKS = ['aihot'] as const;
/** Real stories list up to 50 reports of a thousand characters, and a few neighbors. */
const REPORT_LIMITS = { most: 500, room: 1_000_000 };
const NEIGHBOR_LIMITS = { most: 200, room: 200_000 };

const envelope = z.object({ story: z.record(z.string(), z.unknown(), 'is missing or not an object') });

/** Requires only the title. Uses `addressId`, from the final address, if there is no id. Errors: `invalid_body`. */
export function readStory(value: unknown, addressId: string): StoryAnswer {
  checkEnvelope(envelope, value);
  const raw = (value as { story: RawRecord }).story;
  const { publicId, ...fields } = checkEnvelope(storyFields, raw);
  if (publicId !== null && !isPublicId(publicId)) throw brokenEnvelope('publicId is not a valid story id');
  const reports = distinctBy(readList(raw['reports'], readReport, REPORT_LIMITS), ({ id }) => id);
  const storyline = readNeighbors(raw['storyline']);
  const related = readNeighbors(raw['related']);
  const story: Story = {
    publicId: publicId ?? addressId,
    ...fields,
    links: linksOf(raw, STORY_LINKS),
    reports: reports.records.sort(newestFirst),
    storyline: storyline.records,
    related: related.records,
    extra: unknownMembers(raw, STORY_FIELDS),
  };
  const lost = lostFields(raw, story).map((name) => lostField(raw, name));
  return { story, skipped: [...lost, ...reports.skipped, ...storyline.skipped, ...related.skipped] };
}

/**
 * Accepts another story after a redirect only (document 1 section 3): it would take over the reader's follow, star and
 * note. Errors: `invalid_body`.
 */
export function readRequestedStory(publicId: string, value: unknown, address: string): StoryAnswer {
  const addressId = storyAt(address) ?? publicId;
  const answer = readStory(value, addressId);
  if (addressId !== publicId || answer.story.publicId === publicId) return answer;
  throw brokenEnvelope('it contains another story than the requested one');
}

const reportFields = z.object({
  id: z.string('is missing or not a string').min(1, 'is empty').max(512, 'is longer than 512 characters'),
  title,
  summary: textOf(PARAGRAPH),
  publishedAt: time,
});
const REPORT_FIELDS = new Set([...Object.keys(reportFields.shape), 'source', 'links']);
const REPORT_LINKS = ['aihot', 'original'] as const;

function readReport(raw: RawRecord): Parsed<Coverage> {
  const checked = reportFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  const source = raw['source'];
  const report: Coverage = {
    ...checked.data,
    source: { ...sourceOf(raw), firstParty: isRecord(source) && flagIn(source['firstParty']) === true },
    links: linksOf(raw, REPORT_LINKS),
    extra: unknownMembers(raw, REPORT_FIELDS),
  };
  return { record: report };
}

function readNeighbors(list: Json | undefined): Records<StoryNeighbor> {
  return distinctBy(readList(list, readNeighbor, NEIGHBOR_LIMITS), ({ publicId }) => publicId);
}

const neighborFields = z.object({ publicId: z.string('is missing or not a string'), title, relation: text });
const NEIGHBOR_FIELDS = new Set([...Object.keys(neighborFields.shape), 'links']);
const NEIGHBOR_LINKS = ['aihot', 'api'] as const;

function readNeighbor(raw: RawRecord): Parsed<StoryNeighbor> {
  const checked = neighborFields.safeParse(raw);
  if (!checked.success) return skipFor(raw, checked.error);
  if (!isPublicId(checked.data.publicId)) return skip(raw, 'publicId is not a valid story id');
  const links = linksOf(raw, NEIGHBOR_LINKS);
  return { record: { ...checked.data, links, extra: unknownMembers(raw, NEIGHBOR_FIELDS) } };
}

function newestFirst(a: Coverage, b: Coverage): number {
  return timeOf(b) - timeOf(a) || 0;
}

function timeOf({ publishedAt }: Coverage): number {
  const ms = publishedAt === null ? NaN : Date.parse(publishedAt);
  return Number.isNaN(ms) ? 0 : ms;
}

/** Document 1 section 8. */
const MAX_LENGTH = 128;

export function isPublicId(id: string): boolean {
  const length = Array.from(id).length;
  return length >= 1 && length <= MAX_LENGTH && id.isWellFormed() && !id.includes('\0') && id !== '.' && id !== '..';
}

export function checkPublicId(id: string): void {
  if (isPublicId(id)) return;
  throw new BroadsheetError('invalid_argument', `publicId must have 1 to ${MAX_LENGTH} characters.`);
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
