import { setTimeout } from "node:timers/promises"

/** Waits for the given time. @throws the reason of `signal` when it aborts */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
