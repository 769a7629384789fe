import { AssayError } from "@assay/schemas"

/**
 * Allows writes to an upload until it is sealed. The bytes that were verified are then the bytes that are kept, even if
 * another request still sends.
 */
export interface PartGate {
  /** Runs one write. @throws `upload_gone` if the upload is sealed */
  write<T>(work: () => Promise<T>): Promise<T>
  /** Refuses new writes, and returns when all running writes have ended. */
  seal(): Promise<void>
  /** Accepts writes again, after the bytes did not match the announced digest. */
  unseal(): void
}

/** The gates of the uploads in use, by name. */
export interface PartGates {
  /** Runs `work` with the gate of `name`. All who use the same name at the same time share one gate. */
  use<T>(name: string, work: (gate: PartGate) => Promise<T>): Promise<T>
}

export function createPartGates(): PartGates {
  const gates = new Map<string, { readonly gate: PartGate; users: number }>()
  return {
    async use(name, work) {
      const shared = gates.get(name) ?? { gate: createPartGate(), users: 0 }
      gates.set(name, shared)
      shared.users += 1
      try {
        return await work(shared.gate)
      } finally {
        shared.users -= 1
        if (shared.users === 0) gates.delete(name)
      }
    },
  }
}

function createPartGate(): PartGate {
  const writing = new Set<Promise<unknown>>()
  let isSealed = false
  return {
    async write(work) {
      if (isSealed) {
        const message = "The object is complete or is being completed. Bytes of a part that arrive now are too late."
        throw new AssayError("upload_gone", message)
      }
      const write = work()
      writing.add(write)
      try {
        return await write
      } finally {
        writing.delete(write)
      }
    },
    async seal() {
      isSealed = true
      await Promise.allSettled(writing)
    },
    unseal() {
      isSealed = false
    },
  }
}
