/** The ways in which a single story or report can fail while all others are well (sheet 3, "Seen with real data"). */
export const FAILURES = ['forbidden', 'broken', 'htmlPage', 'cutShort', 'redirectLoop', 'silent', 'notFound'] as const;
export type Failure = (typeof FAILURES)[number];
