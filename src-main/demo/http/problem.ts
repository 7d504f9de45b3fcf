const TITLES = {
  invalid_request: [400, 'Invalid request'],
  invalid_cursor: [400, 'Invalid cursor'],
  not_found: [404, 'Not found'],
  method_not_allowed: [405, 'Method not allowed'],
  snapshot_required: [409, 'Snapshot required'],
  too_many_requests: [429, 'Too many requests'],
  temporarily_unavailable: [503, 'Temporarily unavailable'],
} as const;

export type ProblemCode = keyof typeof TITLES;

/** Document 1 section 7; observed-6-problem. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly code: ProblemCode;
  readonly headers: Record<string, string>;

  constructor(code: ProblemCode, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return TITLES[this.code][0];
  }

  body(requestId: string): string {
    const [status, title] = TITLES[this.code];
    const type = `https://demo.broadsheet.example/problems/${this.code.replaceAll('_', '-')}`;
    return JSON.stringify({ type, title, status, detail: this.message, code: this.code, requestId });
  }
}
