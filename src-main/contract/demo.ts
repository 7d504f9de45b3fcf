/** The kinds of the built-in demo service: `harsh` behaves like a real service on its worse days. */
export const DEMO_KINDS = ['standard', 'harsh'] as const;
export type DemoKind = (typeof DEMO_KINDS)[number];

export function isDemoKind(text: string): text is DemoKind {
  return (DEMO_KINDS as readonly string[]).includes(text);
}
