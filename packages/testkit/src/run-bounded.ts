import { createContext, runInContext } from "node:vm"

/**
 * Runs work on this thread, and ends it when it takes more than a deadline. For work that is a few milliseconds in linear
 * time, and minutes or more in another: a test of that fails then, and does not hang.
 * @throws an error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT`
 */
export function runBounded<T>(work: () => T, milliseconds = 20_000): T {
  return runInContext("work()", createContext({ work }), { timeout: milliseconds }) as T
}
