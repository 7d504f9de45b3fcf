import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import { isWithin, pathWithin, hostOf, type Query } from '../http/addresses.ts';
import type { Fresh } from '../http/client.ts';
import { LARGEST_PAGE, type ModelsPage } from './schemas.ts';
import { skip, type Records, type Skipped } from '../parsing/records.ts';
import { ServiceError } from '../http/service-error.ts';

const MAX_PAGES = 1000;
/** Far above any real gateway. An endless list would use up the memory. */
const MAX_MODELS = 100_000;
/** For all pages together, in UTF-16 units: a thousand pages of maximum size would use up the memory too. */
const MAX_LENGTH = 64 * 1024 * 1024;

export interface WholeModelList extends Records<ModelRecord> {
  pages: number;
}

/** The address of a page. Default path: that of the model list. */
export interface PagePlace {
  path?: string;
  query: Query | string;
}

/** Collects the pages of a model list, and finds the next one. */
export class ModelListPages {
  readonly #baseAddress: string;
  readonly #endsWhenChanged: boolean;
  readonly #records = new Map<string, ModelRecord>();
  readonly #skipped: Skipped[] = [];
  /** Addresses already fetched: a link back to one of them would never end. */
  readonly #visited = new Set<string>();
  /** Set when paging by offset. */
  #pageSize: number | undefined;
  #byNext = false;
  #pages = 0;
  /** Records of all pages, including skipped ones and duplicates. */
  #listed = 0;
  #length = 0;
  #total: number | null = null;
  #changed = false;

  /** `endsWhenChanged`: stop with an error if the list changes between two pages. */
  constructor(baseAddress: string, pageSize: number | undefined, { endsWhenChanged }: { endsWhenChanged: boolean }) {
    this.#baseAddress = baseAddress;
    this.#endsWhenChanged = endsWhenChanged;
    this.#pageSize = pageSize;
  }

  /** True if `total_count` differs between two pages. */
  get changed(): boolean {
    return this.#changed;
  }

  get whole(): WholeModelList {
    return { records: [...this.#records.values()], skipped: this.#skipped, pages: this.#pages };
  }

  /** Adds a page and returns the address of the next one, or null at the end. Errors: see `walkModels`. */
  add({ value: page, address }: Fresh<ModelsPage>): PagePlace | null {
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
      const held = this.#records.get(record.id);
      if (held === undefined) this.#records.set(record.id, record);
      else if (!isDeepStrictEqual(held, record)) this.#skipped.push(skip(record, 'id is taken').skipped);
    }
    if (listed > 0 && this.#records.size === before) throw endless('a page repeats the same models');
  }

  #addressOfNext(page: ModelsPage, next: string, address: string): PagePlace | null {
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

  /** Pages by offset, unless the list has linked to a next page before: then a page without a link is the last one. */
  #offsetAfter({ listed }: ModelsPage): PagePlace | null {
    if (this.#byNext || listed === 0) return null;
    const isFull = this.#pageSize !== undefined && listed >= this.#pageSize;
    const more = this.#total === null ? isFull : this.#listed < this.#total;
    if (!more) return null;
    this.#pageSize ??= Math.min(listed, LARGEST_PAGE);
    return { query: { offset: this.#listed, limit: this.#pageSize } };
  }

  /** An incomplete list would make the missing models look removed. */
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
