import { types } from 'node:util';

/**
 * Copies a value as contextBridge does between the worlds, in both directions: functions become proxies, promises are
 * followed, objects are copied and frozen, the rest is cloned. Errors keep only their message.
 */
export function bridge(value: unknown): unknown {
  if (typeof value === 'function') return bridgeFunction(value as (...args: unknown[]) => unknown);
  if (types.isPromise(value)) return value.then(bridge, (error: unknown) => Promise.reject(plainError(error)));
  if (Array.isArray(value)) return Object.freeze(value.map(bridge));
  if (isPlainObject(value)) {
    return Object.freeze(Object.fromEntries(Object.entries(value).map(([key, member]) => [key, bridge(member)])));
  }
  return structuredClone(value);
}

function bridgeFunction(original: (...args: unknown[]) => unknown) {
  return (...args: unknown[]): unknown => {
    try {
      return bridge(original(...args.map(bridge)));
    } catch (error) {
      throw plainError(error);
    }
  };
}

function plainError(error: unknown): Error {
  // Each page has an `Error` of its own.
  const hasMessage = typeof error === 'object' && error !== null && 'message' in error;
  return new Error(String(hasMessage ? error.message : error));
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Each page has an `Object` of its own.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
