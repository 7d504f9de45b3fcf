/** The ways in which a single story or report can fail while all others are well (observed-6-single-failures). */
export const FAILURES = ['forbidden', 'broken', 'htmlPage', 'cutShort', 'redirectLoop', 'silent', 'notFound'] as const;
export type Failure = (typeof FAILURES)[number];
