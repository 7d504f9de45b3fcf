import { createCore, createReadingCore } from '../../src-main/core/core.ts';
import type { Core } from '../../src-main/core/types.ts';
import type { Args, MethodName, Result } from '../../src-main/contract/methods.ts';
import { fromFailure } from '../../src-main/contract/errors.ts';
import type { Ports } from '../../src-main/contract/ports.ts';
import { plainPorts } from '../support/plain-ports.ts';
import { ENGINE_MODULE } from '../support/built-node.ts';

/** The whole of Broadsheet as its hosts run it, with the engine in its thread. */
export function openTestApp(address: string, dataFolder: string): Promise<Core> {
  return createCore(portsOf(address, dataFolder));
}

/** Broadsheet as commands that only read open it. */
export function openReadingApp(address: string, dataFolder: string): Promise<Core> {
  return createReadingCore(portsOf(address, dataFolder));
}

function portsOf(address: string, dataFolder: string): Ports {
  return {
    ...plainPorts({ dataFolder, address, version: 'bench' }),
    engineModule: ENGINE_MODULE,
  };
}

/** A call whose failure is thrown. */
export async function ask<M extends MethodName>(core: Core, method: M, args: Args<M>): Promise<Result<M>> {
  const reply = await core.wire.call(method, args);
  if (reply.ok) return reply.value;
  throw fromFailure(reply.error);
}
