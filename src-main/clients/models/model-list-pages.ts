import { isDeepStrictEqual } from 'node:util';
import type { ErrorCode } from '../../contract/errors.ts';
import type { ModelRecord } from '../../contract/model/model.ts';
import { isWithin, pathWithin, placeOf, type Query } from '../http/addresses.ts';
import type { Fresh } from '../http/client.ts';
import { LARGEST_PAGE, type ModelsPage } from './schemas.ts';
import { skip, type Records, type Skipped } from '../parsing/records.ts';
import { ServiceError } from '../http/service-error.ts';

const MOST_PAGES = 1000;
/** No gateway has as many; one that never ends would fill the memory. */
const MOST_MODELS = 100_000;
/** Of all answers together, in UTF-16 units: a thousand pages of the largest kind would fill it, too. */
const LONGEST_MODEL_LIST = 64 * 1024 * 1024;

export interface WholeModelList extends Records<ModelRecord> {
  pages: number;
}

/** Where a page is: on the modelList's own path where none is given. */
export interface PagePlace {
  path?: string;
  query: Query | string;
}

/** What the pages of a model list have brought so far, and where it goes on. */
export class ModelListPages {
  readonly #baseAddress: string;
  readonly #endsWhenChanged: boolean;
  readonly #records = new Map<string, ModelRecord>();
  readonly #skipped: Skipped[] = [];
  /** Addresses that were asked: a model list that leads to one of them again has no end. */
  readonly #visited = new Set<string>();
  /** Set where pages are asked for by offset. */
  #pageSize: number | undefined;
  #byNext = false;
  #pages = 0;
  /** Records of all answers, whatever became of them. */
  #listed = 0;
  #length = 0;
  #total: number | null = null;
  #changed = false;

  /** `endsWhenChanged`: a model list that changes while it is read is not read on. */
  constructor(baseAddress: string, pageSize: number | undefined, { endsWhenChanged }: { endsWhenChanged: boolean }) {
    this.#baseAddress = baseAddress;
    this.#endsWhenChanged = endsWhenChanged;
    this.#pageSize = pageSize;
  }

  /** Whether models came or went while the pages were read, as far as the gateway tells. */
  get changed(): boolean {
    return this.#changed;
  }

  get whole(): WholeModelList {
    return { records: [...this.#records.values()], skipped: this.#skipped, pages: this.#pages };
  }

  /** Takes a page in; says where the next one is, or null at the end. Errors: as the walk's. */
  take({ value: page, address }: Fresh<ModelsPage>): PagePlace | null {
    this.#visited.add(address);
    this.#pages += 1;
    this.#noteTotal(page.totalCount);
    this.#listed += page.listed;
    this.#length += page.length;
    if (this.#listed > MOST_MODELS || this.#length > LONGEST_MODEL_LIST) throw tooLarge();
    this.#keep(page);
    const next = page.next === null ? this.#offsetAfter(page) : this.#placeOfNext(page, page.next, address);
    if (next === null) this.#checkEnd();
    else if (this.#pages >= MOST_PAGES) throw goesRound(`it has more than ${MOST_PAGES} pages`);
    return next;
  }

  #noteTotal(total: number | null): void {
    if (total === null) return;
    this.#changed ||= this.#total !== null && this.#total !== total;
    this.#total = total;
    if (!this.#changed || !this.#endsWhenChanged) return;
    throw failure('invalid_body', 'The model list changed while it was read. Nothing of it was kept; try again later.');
  }

  #keep({ records, skipped, listed }: ModelsPage): void {
    const before = this.#records.size;
    // One by one: they may be more than a call takes arguments.
    for (const one of skipped) this.#skipped.push(one);
    for (const record of records) {
      const held = this.#records.get(record.id);
      if (held === undefined) this.#records.set(record.id, record);
      else if (!isDeepStrictEqual(held, record)) this.#skipped.push(skip(record, 'id is taken').skipped);
    }
    if (listed > 0 && this.#records.size === before) throw goesRound('it listed the same models again');
  }

  #placeOfNext(page: ModelsPage, next: string, address: string): PagePlace | null {
    if (page.listed === 0) {
      if (this.#total !== null && this.#listed >= this.#total) return null;
      throw goesRound('a page without models names a next one');
    }
    const target = URL.parse(next, address);
    if (!target || !isWithin(this.#baseAddress, target)) throw ledElsewhere(target);
    target.hash = '';
    if (this.#visited.has(target.href)) throw goesRound('a page names one before it as the next');
    this.#byNext = true;
    return pathWithin(this.#baseAddress, target);
  }

  /** A model list that named a next page and does not any more is at its end; one that never did goes on by offset. */
  #offsetAfter({ listed }: ModelsPage): PagePlace | null {
    if (this.#byNext || listed === 0) return null;
    const isFull = this.#pageSize !== undefined && listed >= this.#pageSize;
    const more = this.#total === null ? isFull : this.#listed < this.#total;
    if (!more) return null;
    this.#pageSize ??= Math.min(listed, LARGEST_PAGE);
    return { query: { offset: this.#listed, limit: this.#pageSize } };
  }

  /** Half a model list would take the other half for removed. */
  #checkEnd(): void {
    if (this.#total === null || this.#listed >= this.#total) return;
    const told = `The modelList ended after ${this.#listed} of ${this.#total} models.`;
    throw failure('cut_short', `${told} Nothing of it was kept; try again later.`);
  }
}

function goesRound(what: string): ServiceError {
  return failure('invalid_body', `The modelList has no end: ${what}. Nothing of it was kept; try again later.`);
}

function tooLarge(): ServiceError {
  const most = `${MOST_MODELS} models or ${LONGEST_MODEL_LIST / 1024 / 1024} megabytes`;
  return failure('too_large', `The modelList has more than ${most}. Nothing of it was kept.`);
}

function ledElsewhere(target: URL | null): ServiceError {
  const place = target ? placeOf(target) : 'no address at all';
  return failure(
    'redirect_refused',
    `The modelList goes on at ${place}, outside the gateway's own address, and that was not followed. Nothing of it was kept. ` +
      "Check the gateway's address in Settings.",
  );
}

function failure(code: ErrorCode, message: string): ServiceError {
  return new ServiceError(code, message, { status: 200 });
}
