import { AssayError } from "@assay/schemas"
import { createTransport, type TransportOptions } from "@assay/http/node"
import type { RemoteStorageContext } from "../open-storage.ts"

export interface TestRemote extends RemoteStorageContext {
  /** The waits so far, in milliseconds. */
  readonly waits: readonly number[]
  /** Moves the clock forward. */
  pass(milliseconds: number): void
}

/**
 * Creates an environment for adapters of remote backends: a real network, a clock that stands still, and waits that are
 * recorded and take no time.
 */
export function createTestRemote(secrets: Readonly<Record<string, string>>, limits: TransportOptions = {}): TestRemote {
  const waits: number[] = []
  let time = Date.UTC(2026, 0, 1)
  return {
    transport: createTransport(limits),
    now: () => time,
    random: () => 0,
    async sleep(milliseconds, signal) {
      signal?.throwIfAborted()
      waits.push(milliseconds)
    },
    workspace: "default",
    async resolveSecret({ workspace, name }) {
      const value = secrets[`${workspace}/${name}`]
      if (value !== undefined) return value
      throw new AssayError("secret_not_readable", `Secret '${workspace}/${name}' is not there; create it.`)
    },
    waits,
    pass(milliseconds) {
      time += milliseconds
    },
  }
}
