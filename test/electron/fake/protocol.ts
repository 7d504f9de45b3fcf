/** Messages between test and child process; structured clones, as with Node's `advanced` serialization. */
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
