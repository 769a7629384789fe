import { setTimeout as sleep } from "node:timers/promises"
import { createTransport, type RemoteStorageContext } from "@assay/storage"

/** Creates the context of an adapter, with the keys of the fakes. */
export function remoteContext(): RemoteStorageContext {
  return {
    transport: createTransport(),
    now: Date.now,
    random: Math.random,
    sleep: (milliseconds, signal) => sleep(milliseconds, undefined, signal === undefined ? {} : { signal }),
    workspace: "bench",
    resolveSecret: async ({ name }) => (name === "id" ? "fake-access-key" : "fake-secret-key"),
  }
}
