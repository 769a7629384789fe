import { createContext, runInContext } from "node:vm"

/**
 * Runs work on this thread, and ends it at a deadline. It is for work that takes milliseconds if its time is linear, and minutes if
 * not: such a test then fails instead of hanging.
 * @throws an error with the code `ERR_SCRIPT_EXECUTION_TIMEOUT`
 */
export function runBounded<T>(work: () => T, milliseconds = 20_000): T {
  return runInContext("work()", createContext({ work }), { timeout: milliseconds }) as T
}
