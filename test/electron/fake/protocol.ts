/** What test and child process say to one another; structured clones, as Node's `advanced` serialisation makes them. */
export interface Order {
  id: number;
  verb: string;
  args: unknown[];
}

export type Answer =
  | { ready: true }
  | { event: string; payload: unknown }
  | { id: number; value: unknown }
  | { id: number; error: string };
