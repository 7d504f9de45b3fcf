import { itemDocument } from '../../render/item.ts';
import type { Invocation } from '../invocation.ts';
import { call } from '../open-core.ts';
import type { ExitCode } from '../shell.ts';
import { TERMINAL_AUDIENCE, toTerminal } from './document-text.ts';
import { itemAsJson } from './json-names.ts';
import { writeOne } from './reading.ts';

/** Prints a saved item in full. Errors: `not_found`. */
export function showItem(invocation: Invocation, id: string): Promise<ExitCode> {
  return writeOne(invocation, {
    read: (wire) => call(wire, 'items.get', { id }),
    format: (item) => toTerminal(itemDocument(item, TERMINAL_AUDIENCE)),
    asJson: itemAsJson,
  });
}
