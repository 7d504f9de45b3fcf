import { ServiceError } from './service-error.ts';

/** Adds the requests sent before to those of an answer or error. */
export async function after<T extends { requests: number }>(before: number, call: Promise<T>): Promise<T> {
  try {
    const answer = await call;
    return { ...answer, requests: before + answer.requests };
  } catch (error) {
    throw error instanceof ServiceError ? error.withRequests(before + error.requests) : error;
  }
}
