import { Worker } from "node:worker_threads"
import { AssayError } from "@assay/schemas"
import { errorOf } from "../threads/thread-failure.ts"
import type { FromIndexThread, ToIndexThread } from "./index-messages.ts"
import type { RowTables, RowTablesLimits } from "./open-tables.ts"

/** The row tables of this process, on a thread of their own. */
export interface IndexThread {
  call<Name extends keyof RowTables>(
    name: Name,
    ...args: Parameters<RowTables[Name]>
  ): Promise<ReturnType<RowTables[Name]>>
  close(): Promise<void>
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

/** Creates a thread that starts with the first call. It does not keep the process alive while no call waits. */
export function createIndexThread(limits?: RowTablesLimits): IndexThread {
  let worker: Worker | undefined
  let nextId = 0
  let isClosed = false
  const waiting = new Map<number, Waiting>()

  function start(): Worker {
    const started = new Worker(PROGRAM, { workerData: limits })
    started.on("message", ({ id, value, failure }: FromIndexThread) => {
      const call = waiting.get(id)
      waiting.delete(id)
      if (waiting.size === 0) started.unref()
      if (failure === undefined) call?.resolve(value)
      else call?.reject(errorOf(failure))
    })
    const fail = (error: unknown) => {
      if (worker === started) worker = undefined
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
    }
    started.on("error", fail)
    started.on("exit", () => fail(isClosed ? closed() : new Error("The thread of the row index has ended.")))
    return started
  }

  return {
    call: (name, ...args) =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(closed())
          return
        }
        const running = (worker ??= start())
        const id = nextId++
        waiting.set(id, { resolve: resolve as Waiting["resolve"], reject })
        running.ref()
        running.postMessage({ id, call: name, args } satisfies ToIndexThread, [])
      }),
    async close() {
      isClosed = true
      await worker?.terminate()
    },
  }
}

/** Makes the error of a call that was not answered before the server closed. Its client has gone, so a server does not log it. */
function closed(): AssayError {
  return new AssayError("unavailable", "The server is closing.", { context: { closing: true } })
}

/** The TypeScript source if this module is one, or the built file. */
const PROGRAM = new URL(import.meta.url.endsWith(".ts") ? "./index-worker.ts" : "./index-worker.js", import.meta.url)
