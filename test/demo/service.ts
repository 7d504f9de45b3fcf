import { onTestFinished } from 'vitest';
import { startDemoService } from '../../src-main/demo/service.ts';
import type { DemoOptions, DemoService } from '../../src-main/demo/service.ts';
import { fakeClock } from '../support/clock.ts';
import type { FakeClock } from '../support/clock.ts';
import { openOnce, type AtEnd } from '../support/open-once.ts';

/** Every member that some answer has and some test reads; which of them are there depends on the resource. */
export interface Body {
  items: Body[];
  changes: Body[];
  data: Body[];
  sections: Body[];
  flashes: Body[];
  reports: Body[];
  storyline: Body[];
  related: Body[];
  item: Body;
  story: Body | undefined;
  report: Body;
  lead: { title: string; leadParagraph: string };
  page: { count: number; hasMore: boolean; nextCursor: string | null };
  links: { original: string; aihot: string | null; story?: string; next: string | null; details: string };
  pricing: Record<string, unknown>;
  error: { code: number; message: string };
  query: object;
  architecture: object;
  supported_parameters: string[];
  id: string;
  publicId: string;
  op: string;
  title: string;
  leadTitle: string;
  overview: string;
  digest: string | null;
  status: string;
  code: string;
  requestId: string;
  date: string;
  week: string;
  month: string;
  category: string;
  publishedAt: string | null;
  discoveredAt: string;
  cursor: string;
  nextPage: string | null;
  hasMore: boolean;
  selected: boolean;
  count: number;
  rank: number;
  reportCount: number;
  total_count: number;
}

export interface TestResponse {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

export interface Demo {
  service: DemoService;
  clock: FakeClock;
  get: (path: string, init?: RequestInit) => Promise<TestResponse>;
}

/** Starts a service that ends with the test. Fixed content of 30 selected items unless set otherwise. */
export async function demo(options: Partial<DemoOptions> = {}, atEnd: AtEnd = onTestFinished): Promise<Demo> {
  const clock = (options.clock as FakeClock | undefined) ?? fakeClock();
  const service = await startDemoService({ content: { selected: 30, days: 6 }, ...options, clock });
  atEnd(() => service.close());
  return { service, clock, get: (path, init) => send(`${service.newsAddress}/api/v1${path}`, init) };
}

/** One service for all tests of a file that only ask: to invent a living one takes seconds. */
export const standingDemo = (options: Partial<DemoOptions>): (() => Demo) => openOnce((atEnd) => demo(options, atEnd));

export async function send(url: string, init?: RequestInit): Promise<TestResponse> {
  const response = await fetch(url, { redirect: 'manual', ...init });
  const text = await response.text();
  const none = {} as Body;
  const isJson = /json/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? (JSON.parse(text) as Body) : none,
  };
}

/** All items of a list, page by page. */
export async function allPages(get: (path: string) => Promise<TestResponse>, path: string): Promise<Body[]> {
  const found: Body[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body } = await get(cursor ? `${path}&cursor=${cursor}` : path);
    found.push(...body.items);
    cursor = body.page.nextCursor;
  }
  return found;
}

/** The whole snapshot, page by page, with the cursor that belongs to it. */
export async function wholeSnapshot(
  get: (path: string) => Promise<TestResponse>,
  limit: number,
): Promise<{ items: Body[]; cursor: string; cursors: Set<string> }> {
  const items: Body[] = [];
  const cursors = new Set<string>();
  for (let page: string | null = ''; page !== null;) {
    const { body } = await get(`/selected/snapshot?limit=${limit}${page && `&page=${page}`}`);
    items.push(...body.items);
    cursors.add(body.cursor);
    page = body.nextPage;
  }
  return { items, cursor: [...cursors][0] ?? '', cursors };
}
