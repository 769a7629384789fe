import { AssayError } from "@assay/schemas"
import pLimit from "p-limit"
import type { Queries } from "../database.ts"
import { sqliteKysely } from "./connection.ts"
import { startScanThread, type ScanThread } from "./scan-thread.ts"

/** Runs work on a thread. All its queries see the same moment. */
type Scan = <T>(work: (queries: Queries) => Promise<T>) => Promise<T>

interface ScanThreads {
  readonly scan: Scan
  close(): Promise<void>
}

/** More threads would compete for the disk and the processor with the thread that serves all requests. */
const THREADS = 2
/** Maximum number of scans that wait for a thread. */
const WAITING = 200
/** Milliseconds after which an idle thread ends. */
const IDLE_MS = 30_000

/** Creates threads that read `file`. They start when they are needed. */
export function createScanThreads(file: string): ScanThreads {
  const limit = pLimit(THREADS)
  const running = new Set<ScanThread>()
  const idle: ScanThread[] = []
  let timer: NodeJS.Timeout | undefined

  function take(): ScanThread {
    clearTimeout(timer)
    for (let known = idle.pop(); known !== undefined; known = idle.pop()) if (!known.hasEnded()) return known
    const thread = startScanThread(file)
    running.add(thread)
    return thread
  }

  async function release(thread: ScanThread): Promise<void> {
    await endRead(thread)
    if (thread.hasEnded()) running.delete(thread)
    else idle.push(thread)
    clearTimeout(timer)
    timer = setTimeout(() => void endThreads(idle.splice(0)), IDLE_MS).unref()
  }

  async function endThreads(threads: readonly ScanThread[]): Promise<void> {
    for (const thread of threads) running.delete(thread)
    await Promise.all(threads.map((thread) => thread.end()))
  }

  const runOnThread: Scan = async (work) => {
    const thread = take()
    try {
      await thread.run("begin")
      return await work(queriesOn(thread))
    } finally {
      await release(thread)
    }
  }

  return {
    async scan(work) {
      if (limit.pendingCount >= WAITING) throw tooMany()
      return limit(() => runOnThread(work))
    },
    async close() {
      clearTimeout(timer)
      idle.length = 0
      await endThreads([...running])
    },
  }
}

/** Ends the transaction of a thread. A thread that fails here is not used again. */
async function endRead(thread: ScanThread): Promise<void> {
  try {
    await thread.run("rollback")
  } catch {
    await thread.end()
  }
}

function queriesOn(thread: ScanThread): Queries {
  return sqliteKysely({
    run: async (text, parameters) => ({ rows: await thread.run(text, parameters), changes: 0 }),
    close: () => {},
  })
}

function tooMany(): AssayError {
  const message = `${WAITING} other listings with a filter are waiting; try again in a moment.`
  return new AssayError("unavailable", message, { context: { retryAfter: 1 } })
}
