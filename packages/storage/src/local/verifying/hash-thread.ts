import { Worker } from "node:worker_threads"

/** A piece to hash. Without `bytes`, a request for the digest. */
export interface ToHashThread {
  readonly id: number
  readonly bytes?: Uint8Array
  readonly isCancelled?: boolean
}

export interface FromHashThread {
  readonly id: number
  readonly sha256?: string
}

/** The digest of one file. Several are computed at the same time. */
export interface ThreadHash {
  /** Resolves when the piece is hashed. Its memory is shared with the thread and must not be reused before. */
  update(bytes: Uint8Array): Promise<void>
  /** Returns the SHA-256 of all pieces, lower-case hex. */
  digest(): Promise<string>
  cancel(): void
}

/** A thread that computes digests, so that the calling thread can move bytes. It starts when it is first needed. */
export interface HashThread {
  createHash(): ThreadHash
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (message: FromHashThread) => void
  readonly reject: (error: unknown) => void
}

interface RunningThread {
  readonly worker: Worker
  /** Waiting calls by id, in the order of the answers. */
  readonly waiting: Map<number, Waiting[]>
}

export function createHashThread(): HashThread {
  let running: RunningThread | undefined
  let nextId = 0

  function start(): RunningThread {
    const worker = new Worker(WORKER)
    const thread: RunningThread = { worker, waiting: new Map() }
    worker.unref()
    worker.on("message", (message: FromHashThread) => {
      const queue = thread.waiting.get(message.id)
      const first = queue?.shift()
      if (queue?.length === 0) thread.waiting.delete(message.id)
      if (thread.waiting.size === 0) worker.unref()
      first?.resolve(message)
    })
    const fail = (error: unknown) => {
      if (running === thread) running = undefined
      for (const queue of thread.waiting.values()) for (const { reject } of queue) reject(error)
      thread.waiting.clear()
    }
    worker.on("error", fail)
    worker.on("exit", () => fail(new Error("The thread that hashes files has ended.")))
    return thread
  }

  function ask({ worker, waiting }: RunningThread, message: ToHashThread): Promise<FromHashThread> {
    return new Promise((resolve, reject) => {
      const queue = waiting.get(message.id) ?? []
      queue.push({ resolve, reject })
      waiting.set(message.id, queue)
      // Keep the process alive while a call waits.
      worker.ref()
      worker.postMessage(message, [])
    })
  }

  return {
    createHash() {
      running ??= start()
      const thread = running
      const id = nextId++
      return {
        async update(bytes) {
          await ask(thread, { id, bytes })
        },
        async digest() {
          const { sha256 = "" } = await ask(thread, { id })
          return sha256
        },
        cancel: () => thread.worker.postMessage({ id, isCancelled: true } satisfies ToHashThread, []),
      }
    },
    async close() {
      await running?.worker.terminate()
    },
  }
}

/** Address of the program: the TypeScript source if this module is one, or the built file. */
const WORKER = new URL(import.meta.url.endsWith(".ts") ? "./hash-worker.ts" : "./hash-worker.js", import.meta.url)
