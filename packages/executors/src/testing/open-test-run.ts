import { randomBytes } from "node:crypto"
import { setTimeout as pause } from "node:timers/promises"
import { createTransport } from "@assay/storage"
import { openRunStore, type RunStore } from "../run/run-store.ts"

/** Opens a run whose location is relative to `folder`, or a bucket. */
export function openTestRun(folder: string, location: string): Promise<RunStore> {
  const sleep = (ms: number, signal?: AbortSignal) => pause(ms, undefined, signal === undefined ? {} : { signal })
  return openRunStore(location, {
    cwd: folder,
    env: process.env,
    randomBytes,
    openRemote: () => ({ transport: createTransport(), now: Date.now, random: Math.random, sleep }),
  })
}
