import { z } from 'zod';
import { Problem } from '../http/problem.ts';
import { readNoQuery, readQuery, wholeNumber } from '../http/query.ts';
import { json, type ApiResponse } from '../http/response.ts';
import type { ApiRequest } from '../http/router.ts';
import type { DemoState } from '../state.ts';

/** Document 1 sections 4.4 to 4.6. */
export interface ReportSeries<R extends { label: string }> {
  name: 'daily' | 'weekly' | 'monthly';
  isLabel: (text: string) => boolean;
  labelRule: string;
  /** Far in the future: the index of the harsh service lists it first. */
  placeholder: string;
  listed: number;
  mostListed: number;
  /** In seconds, for the index and the latest report. */
  lifetime: number;
  /** Newest first. */
  published: (state: DemoState, now: number) => R[];
  indexEntry: (state: DemoState, report: R) => object;
  body: (state: DemoState, report: R) => object;
}

export type Resource = (state: DemoState, request: ApiRequest) => ApiResponse;

const REPORT_LIFETIME = 300;

export function resourcesOf<R extends { label: string }>(
  series: ReportSeries<R>,
): Record<'index' | 'latest' | 'report', Resource> {
  const { name, lifetime, published, indexEntry, body } = series;
  const indexQuery = z.strictObject({ limit: wholeNumber(1, series.mostListed).default(series.listed) });
  const listedBy = (state: DemoState, now: number): R[] => {
    const all = published(state, now);
    const [newest] = all;
    return state.harsh && newest ? [{ ...newest, label: series.placeholder }, ...all] : all;
  };
  return {
    index(state, request) {
      const { limit } = readQuery(request.search, indexQuery);
      const items = listedBy(state, request.now)
        .slice(0, limit)
        .map((report) => indexEntry(state, report));
      return json({ count: items.length, items }, lifetime);
    },
    latest(state, request) {
      readNoQuery(request.search);
      const [newest] = published(state, request.now);
      if (!newest) throw new Problem('not_found', `No ${name} report has been published yet.`);
      return json({ report: body(state, newest) }, lifetime);
    },
    report(state, request) {
      readNoQuery(request.search);
      const [label = ''] = request.captured;
      if (!series.isLabel(label)) throw new Problem('invalid_request', series.labelRule);
      const found = listedBy(state, request.now).find((report) => report.label === label);
      if (!found) throw new Problem('not_found', `There is no ${name} report of ${label}.`);
      return json({ report: body(state, found) }, REPORT_LIFETIME);
    },
  };
}
