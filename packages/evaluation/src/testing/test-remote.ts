import { createTransport, type RemoteStorageContext } from "@assay/storage"

/** Returns what remote storages of workspace `default` need, without waits. @param secretOf returns the value of a secret by its name */
export function testRemote(secretOf: (name: string) => string): RemoteStorageContext {
  return {
    transport: createTransport(),
    now: Date.now,
    random: Math.random,
    sleep: async () => {},
    workspace: "default",
    resolveSecret: async ({ name }) => secretOf(name),
  }
}
