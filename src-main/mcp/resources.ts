import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
  type McpServer,
  type ReadResourceResult,
  type Variables,
} from '@modelcontextprotocol/server';
import { BroadsheetError, toFailure } from '../contract/errors.ts';
import { REPORT_KINDS, REPORT_RESOURCE, type ReportKind, isReportLabel } from '../contract/model/report.ts';
import { linkOfTarget } from '../contract/targets.ts';
import { ageOf, textOf } from './answer.ts';
import type { Archive } from './archive.ts';
import { reportAnswer } from './tools/reports.ts';

/** For each kind; all others can be read by their address. */
const MAX_LISTED = 31;
const MAX_COMPLETED = 100;
/** A report has some thirty stories. */
const MAX_STORIES = 200;

const NAMES: Readonly<Record<ReportKind, { title: string; description: string }>> = {
  daily: {
    title: 'Daily reports',
    description: 'A saved daily report, by its date in Shanghai: broadsheet://daily/2026-11-20',
  },
  weekly: { title: 'Weekly reports', description: 'A saved weekly report, by its week: broadsheet://weekly/2026-W47' },
  monthly: {
    title: 'Monthly reports',
    description: 'A saved monthly report, by its month: broadsheet://monthly/2026-11',
  },
};

interface Host {
  archive: Archive;
  now: () => number;
  code: () => string;
}

/** Adds the saved reports as resources, under the addresses that open them in the app too. */
export function addResources(server: McpServer, host: Host): void {
  for (const kind of REPORT_KINDS) {
    const template = new ResourceTemplate(`broadsheet://${kind}/{label}`, {
      list: async () => ({
        resources: (await labelsOf(host.archive, kind)).slice(0, MAX_LISTED).map((label) => ({
          uri: linkOfTarget({ view: 'report', kind, label }) ?? '',
          name: `${kind} ${label}`,
          mimeType: 'text/markdown',
        })),
      }),
      complete: {
        label: async (text) =>
          (await labelsOf(host.archive, kind)).filter((label) => label.startsWith(text)).slice(0, MAX_COMPLETED),
      },
    });
    server.registerResource(
      REPORT_RESOURCE[kind],
      template,
      { ...NAMES[kind], mimeType: 'text/markdown' },
      (address, variables) => read(host, kind, address, variables),
    );
  }
}

/** Lists the saved reports, newest first; none if nothing is saved yet. */
async function labelsOf(archive: Archive, kind: ReportKind): Promise<string[]> {
  try {
    const { lines } = await archive.read((call) => call('reports.index', { kind }));
    return lines.filter(({ stored }) => stored).map(({ label }) => label);
  } catch (error) {
    if (error instanceof BroadsheetError && error.code === 'not_found') return [];
    throw protocolError(error);
  }
}

async function read(host: Host, kind: ReportKind, address: URL, variables: Variables): Promise<ReadResourceResult> {
  const { label } = variables;
  if (typeof label !== 'string' || !isReportLabel(kind, label)) throw new ResourceNotFoundError(address.href);
  const { archive, code } = host;
  const now = host.now();
  try {
    const text = await archive.read(async (call) => {
      const answer = await reportAnswer({ kind, label, limit: MAX_STORIES, offset: 0 }, { call, now });
      return textOf(answer, await ageOf(call, REPORT_RESOURCE[kind], now), code());
    });
    return { contents: [{ uri: address.href, mimeType: 'text/markdown', text }] };
  } catch (error) {
    if (error instanceof BroadsheetError && error.code === 'not_found') throw new ResourceNotFoundError(address.href);
    throw protocolError(error);
  }
}

function protocolError(error: unknown): ProtocolError {
  const { code, message, retryable } = toFailure(error);
  return new ProtocolError(ProtocolErrorCode.InternalError, `${code}: ${message}`, { code, retryable });
}
