import { AssayError } from "@assay/schemas"

/**
 * Lets parts be written into an upload until it is sealed. What is verified is then what is kept, however slowly another
 * request still sends.
 */
export interface PartGate {
  /** Runs one write. @throws `upload_gone` when the upload is sealed */
  write<T>(work: () => Promise<T>): Promise<T>
  /** Returns when no write is under way and none can begin. */
  seal(): Promise<void>
  /** Takes writes again: what was sent was not what was announced. */
  unseal(): void
}

/** The gates of uploads in use, by any name. */
export interface PartGates {
  /** Runs `work` with the gate of `name`, which all share who run at the same time. */
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
        const message = "The object is being completed, or is complete: bytes of a part that arrive now are too late."
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
