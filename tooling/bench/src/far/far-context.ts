import { setTimeout as sleep } from "node:timers/promises"
import { createTransport, type FarStorageContext } from "@assay/storage"

/** What an adapter is opened with, for the fakes' keys. */
export function farContext(): FarStorageContext {
  return {
    transport: createTransport(),
    now: Date.now,
    random: Math.random,
    sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
    workspace: "bench",
    resolveSecret: async ({ name }) => (name === "id" ? "fake-access-key" : "fake-secret-key"),
  }
}
