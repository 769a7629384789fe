import { setTimeout } from "node:timers/promises"

/** Waits so many milliseconds, or throws the reason of `signal`. */
export async function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal })
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
