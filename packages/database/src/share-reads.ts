import { setImmediate } from "node:timers/promises"

/**
 * Returns a function that runs `read` once for all calls with the same arguments in one turn of the event loop. The read
 * begins after the turn, so it sees everything that its callers know of.
 */
export function shareReads<Parameters extends readonly (string | number)[], Result>(
  read: (...parameters: Parameters) => Promise<Result>,
): (...parameters: Parameters) => Promise<Result> {
  const waiting = new Map<string, Promise<Result>>()

  async function readLater(key: string, parameters: Parameters): Promise<Result> {
    await setImmediate()
    waiting.delete(key)
    return read(...parameters)
  }

  return (...parameters) => {
    const key = JSON.stringify(parameters)
    const shared = waiting.get(key) ?? readLater(key, parameters)
    waiting.set(key, shared)
    return shared
  }
}
