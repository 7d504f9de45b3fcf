import { z } from 'zod';
import { type Answer, type Fresh, type FetchOptions, checkRequest } from '../http/client.ts';
import { MAX_PAGE, type ModelsPage } from './schemas.ts';
import { ServiceError, addRequests } from '../http/service-error.ts';
import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import { isWithin, pathWithin, hostOf, type Query } from '../http/addresses.ts';
import { skip, type Records, type Skipped } from '../parsing/records.ts';

export interface WholeOptions extends FetchOptions {
  /** 1 to 1000. By default the gateway decides. */
  pageSize?: number | undefined;
}

export type FetchPage = (place: PageAddress, options: FetchOptions) => Promise<Answer<ModelsPage>>;

const wholeRequest = z.object({ pageSize: z.int().min(1).max(MAX_PAGE).optional() });

/**
 * Fetches by `links.next`, or by offset up to `total_count` or a page that is not full (document 2 section 4;
 * observed-9-pages); again once if `total_count` changes. A validator covers a single page only, and the lifetime is
 * that of the first one. Errors, with the requests of all pages: `invalid_argument`, `redirect_refused` for a
 * `links.next` outside the gateway, `cut_short` before `total_count`, `invalid_body` for a loop, `too_large`.
 */
export async function walkModels(
  fetchPage: FetchPage,
  baseAddress: string,
  options: WholeOptions,
): Promise<Answer<WholeModelList>> {
  checkRequest(wholeRequest, { pageSize: options.pageSize });
  const strict = new ModelListPages(baseAddress, options.pageSize, { endsWhenChanged: true });
  try {
    return await walk(fetchPage, strict, options);
  } catch (error) {
    if (!strict.changed || !(error instanceof ServiceError)) throw error;
    const lenient = new ModelListPages(baseAddress, options.pageSize, { endsWhenChanged: false });
    return addRequests(error.requests, walk(fetchPage, lenient, { ...options, validator: undefined }));
  }
}

async function walk(
  fetchPage: FetchPage,
  pages: ModelListPages,
  { pageSize, validator, signal }: WholeOptions,
): Promise<Answer<WholeModelList>> {
  const query = pageSize === undefined ? {} : { offset: 0, limit: pageSize };
  const first = await fetchPage({ query }, { validator, signal });
  if (first.kind === 'notModified') return first;
  let answer = first;
  for (;;) {
    const place = addPage(pages, answer);
    if (place === null) break;
    answer = await addRequests(answer.requests, fetchFresh(fetchPage, place, signal));
  }
  const value = pages.whole;
  return { ...first, validator: value.pages === 1 ? first.validator : null, requests: answer.requests, value };
}

function addPage(pages: ModelListPages, answer: Fresh<ModelsPage>): PageAddress | null {
  try {
    return pages.add(answer);
  } catch (error) {
    throw error instanceof ServiceError ? error.withRequests(answer.requests) : error;
  }
}

async function fetchFresh(fetchPage: FetchPage, place: PageAddress, signal?: AbortSignal): Promise<Fresh<ModelsPage>> {
  const answer = await fetchPage(place, { signal });
  if (answer.kind === 'fresh') return answer;
  const { requests } = answer;
  throw new ServiceError(
    'invalid_body',
    'The gateway answered "not modified" to an unconditional request. Try again later.',
    { requests },
  );
}

const MAX_PAGES = 1000;
/** Far above any real gateway. An endless list would use up the memory. */
const MAX_MODELS = 100_000;
const MAX_LENGTH = 64 * 1024 * 1024;

export interface WholeModelList extends Records<ModelRecord> {
  pages: number;
}

export interface PageAddress {
  path?: string;
  query: Query | string;
}

class ModelListPages {
  readonly #baseAddress: string;
  readonly #endsWhenChanged: boolean;
  readonly #records = new Map<string, ModelRecord>();
  readonly #skipped: Skipped[] = [];
  /** A link back to one of them would never end. */
  readonly #visited = new Set<string>();
  #pageSize: number | undefined;
  #byNext = false;
  #pages = 0;
  #listed = 0;
  #length = 0;
  #total: number | null = null;
  #changed = false;

  constructor(baseAddress: string, pageSize: number | undefined, { endsWhenChanged }: { endsWhenChanged: boolean }) {
    this.#baseAddress = baseAddress;
    this.#endsWhenChanged = endsWhenChanged;
    this.#pageSize = pageSize;
  }

  get changed(): boolean {
    return this.#changed;
  }

  get whole(): WholeModelList {
    return { records: [...this.#records.values()], skipped: this.#skipped, pages: this.#pages };
  }

  add({ value: page, address }: Fresh<ModelsPage>): PageAddress | null {
    this.#visited.add(address);
    this.#pages += 1;
    this.#checkTotal(page.totalCount);
    this.#listed += page.listed;
    this.#length += page.length;
    if (this.#listed > MAX_MODELS || this.#length > MAX_LENGTH) throw tooLarge();
    this.#addRecords(page);
    const next = page.next === null ? this.#offsetAfter(page) : this.#addressOfNext(page, page.next, address);
    if (next === null) this.#checkEnd();
    else if (this.#pages >= MAX_PAGES) throw endless(`it has more than ${MAX_PAGES} pages`);
    return next;
  }

  #checkTotal(total: number | null): void {
    if (total === null) return;
    this.#changed ||= this.#total !== null && this.#total !== total;
    this.#total = total;
    if (!this.#changed || !this.#endsWhenChanged) return;
    throw failure('invalid_body', 'The model list changed during the download. Nothing was saved. Try again later.');
  }

  #addRecords({ records, skipped, listed }: ModelsPage): void {
    const before = this.#records.size;
    // No spread: there may be more than a call accepts as arguments.
    for (const one of skipped) this.#skipped.push(one);
    for (const record of records) {
      const known = this.#records.get(record.id);
      if (known === undefined) this.#records.set(record.id, record);
      else if (!isDeepStrictEqual(known, record)) this.#skipped.push(skip(record, 'id is taken').skipped);
    }
    if (listed > 0 && this.#records.size === before) throw endless('a page repeats the same models');
  }

  #addressOfNext(page: ModelsPage, next: string, address: string): PageAddress | null {
    if (page.listed === 0) {
      if (this.#total !== null && this.#listed >= this.#total) return null;
      throw endless('a page without models links to a next page');
    }
    const target = URL.parse(next, address);
    if (!target || !isWithin(this.#baseAddress, target)) throw leavesGateway(target);
    target.hash = '';
    if (this.#visited.has(target.href)) throw endless('a page links back to an earlier one');
    this.#byNext = true;
    return pathWithin(this.#baseAddress, target);
  }

  /** Pages by offset unless the list has linked to a next page: then a page without a link is the last. */
  #offsetAfter({ listed }: ModelsPage): PageAddress | null {
    if (this.#byNext || listed === 0) return null;
    const isFull = this.#pageSize !== undefined && listed >= this.#pageSize;
    const more = this.#total === null ? isFull : this.#listed < this.#total;
    if (!more) return null;
    this.#pageSize ??= Math.min(listed, MAX_PAGE);
    return { query: { offset: this.#listed, limit: this.#pageSize } };
  }

  /** Rejects an incomplete list: the missing models would look removed. */
  #checkEnd(): void {
    if (this.#total === null || this.#listed >= this.#total) return;
    const message = `The model list ended after ${this.#listed} of ${this.#total} models. Nothing was saved. Try again later.`;
    throw failure('cut_short', message);
  }
}

function endless(what: string): ServiceError {
  return failure('invalid_body', `The model list never ends: ${what}. Nothing was saved. Try again later.`);
}

function tooLarge(): ServiceError {
  const most = `${MAX_MODELS} models or ${MAX_LENGTH / 1024 / 1024} megabytes`;
  return failure('too_large', `The model list has more than ${most}. Nothing was saved.`);
}

function leavesGateway(target: URL | null): ServiceError {
  const place = target ? hostOf(target) : 'an invalid address';
  return failure(
    'redirect_refused',
    `The model list continues at ${place}, outside the gateway. The link was not followed. Nothing was saved. ` +
      'Check the gateway address in Settings.',
  );
}

function failure(code: ErrorCode, message: string): ServiceError {
  return new ServiceError(code, message, { status: 200 });
}
