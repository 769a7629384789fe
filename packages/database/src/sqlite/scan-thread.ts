import { Worker } from "node:worker_threads"
import { AssayError } from "@assay/schemas"
import { sqliteValue } from "./connection.ts"
import { scanProgram, type ScanAnswer, type ScanStatement, type ScanThreadData } from "./scan-program.ts"

/** A thread with a connection of its own that only reads. It runs one statement at a time. */
export interface ScanThread {
  run(text: string, parameters?: readonly unknown[]): Promise<unknown[]>
  hasEnded(): boolean
  end(): Promise<void>
}

/**
 * Milliseconds. A longer statement fails for its caller. Its thread ends when SQLite returns from the statement, because
 * neither SQLite's module for Node.js nor the end of a thread interrupts one.
 */
const LONGEST_SCAN_MS = 60_000

/** Starts a thread for the database in `file`. An idle thread does not keep the process alive. */
export function startScanThread(file: string, longestScanMs = LONGEST_SCAN_MS): ScanThread {
  const worker = new Worker(`(${scanProgram.toString()})(require)`, {
    eval: true,
    workerData: { file } satisfies ScanThreadData,
  })
  let hasEnded = false
  let current: { resolve(rows: unknown[]): void; reject(error: Error): void } | undefined

  worker.on("message", (answer: ScanAnswer) => {
    if ("rows" in answer) current?.resolve(answer.rows)
    else current?.reject(Object.assign(new Error(answer.message), { errcode: answer.errcode }))
  })
  const onEnd = (error: Error) => {
    hasEnded = true
    current?.reject(error)
  }
  worker.on("error", onEnd)
  worker.on("exit", () => onEnd(new Error("The thread that reads the database has ended.")))
  worker.unref()

  async function end(): Promise<void> {
    hasEnded = true
    await worker.terminate()
  }

  return {
    hasEnded: () => hasEnded,
    end,
    async run(text, parameters = []) {
      const statement: ScanStatement = { text, parameters: parameters.map(sqliteValue) }
      // Keep the process alive while a caller waits.
      worker.ref()
      let timer: NodeJS.Timeout | undefined
      try {
        return await new Promise<unknown[]>((resolve, reject) => {
          current = { resolve, reject }
          if (hasEnded) return reject(new Error("The thread that reads the database has ended."))
          worker.postMessage(statement, [])
          timer = setTimeout(() => {
            reject(tooLong(longestScanMs))
            void end()
          }, longestScanMs)
        })
      } finally {
        clearTimeout(timer)
        current = undefined
        worker.unref()
      }
    },
  }
}

function tooLong(longestScanMs: number): AssayError {
  const message = `The query took longer than ${longestScanMs / 1000} s and was stopped; make its filter narrower.`
  return new AssayError("unavailable", message)
}
