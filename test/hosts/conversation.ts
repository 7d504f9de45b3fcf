import type { Args, MethodName, Result } from '../../src-main/contract/methods.ts';
import { fromFailure, type ErrorCode } from '../../src-main/contract/errors.ts';
import { EVENT_NAMES, type EventName, type Events } from '../../src-main/contract/events.ts';
import type { ItemRow, ItemsQuery } from '../../src-main/contract/model/item.ts';
import type { Wire } from '../../src-main/contract/wire.ts';

/** The complete selected set. */
export const SELECTED: ItemsQuery = { scope: 'selected', window: 'any', state: 'any' };
export const EVERYTHING: ItemsQuery = { scope: 'all', window: 'any', state: 'any' };

/** The value of a successful call. */
export async function ask<M extends MethodName>(wire: Wire, method: M, args: Args<M>): Promise<Result<M>> {
  const reply = await wire.call(method, args);
  if (reply.ok) return reply.value;
  throw fromFailure(reply.error);
}

/** The error code of a call, or null. Accepts any arguments, because a client of the wire can send anything. */
export async function errorResponse(wire: Wire, method: string, args: unknown): Promise<ErrorCode | null> {
  const reply = await wire.call(method as MethodName, args as never);
  return reply.ok ? null : reply.error.code;
}

/** A list, page by page. */
export async function allRows(wire: Wire, query: ItemsQuery, limit = 500): Promise<ItemRow[]> {
  const rows: ItemRow[] = [];
  let cursor: string | null = null;
  do {
    const page: Result<'items.page'> = await ask(
      wire,
      'items.page',
      cursor === null ? { query, limit } : { query, limit, cursor },
    );
    rows.push(...page.rows);
    cursor = page.next;
  } while (cursor !== null);
  return rows;
}

export interface Heard {
  /** The payloads of an event so far, oldest first. */
  of<E extends EventName>(event: E): Events[E][];
  forget(): void;
}

/** Subscribes to all events. */
export function listen(wire: Wire): Heard {
  const heard: { event: EventName; payload: unknown }[] = [];
  for (const event of EVENT_NAMES) wire.on(event, (payload) => heard.push({ event, payload }));
  return {
    of: (name) => heard.filter(({ event }) => event === name).map(({ payload }) => payload as never),
    forget: () => (heard.length = 0),
  };
}
