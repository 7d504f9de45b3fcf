import type { ReportKind } from '../../src-main/contract/model/report.ts';
import type { ResourceName } from '../../src-main/contract/model/resource.ts';
import { TWELVE_DAYS } from './reports.ts';
import { openTestApp, type TestApp, type TestAppOptions } from './test-app.ts';

const REPORTS: ResourceName[] = ['dailies', 'weeklies', 'monthlies'];

/** An app whose service has reports of twelve days. */
export const openArchive = (options: TestAppOptions = {}) => openTestApp({ ...TWELVE_DAYS, ...options });

/** Syncs reports, and returns the result. */
export async function syncReports(
  { call }: TestApp,
  urgency: 'due' | 'permitted' | 'now' = 'now',
  resources = REPORTS,
) {
  return (await call('sync.run', { urgency, resources })).resources;
}

/** Newest first. */
export const reportLabels = async ({ call }: TestApp, kind: ReportKind) =>
  (await call('reports.index', { kind })).lines.map(({ label }) => label);

/** Paths and queries that were asked for since `from`. */
export const askedPaths = ({ service }: TestApp, from = 0) =>
  service.requests.slice(from).map(({ path, query }) => path.replace('/api/v1', '') + query);
