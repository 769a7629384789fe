import { parentPort, workerData } from "node:worker_threads"
import { failureOf } from "../threads/thread-failure.ts"
import type { FromIndexThread, ToIndexThread } from "./index-messages.ts"
import { createRowTables, type RowTablesLimits } from "./open-tables.ts"

// The program of the thread that keeps the row tables of a server.
const tables = createRowTables((workerData as RowTablesLimits | undefined) ?? undefined)

parentPort?.on("message", ({ id, call, args }: ToIndexThread) => {
  parentPort?.postMessage(answerTo(id, call, args), [])
})

function answerTo(id: number, call: ToIndexThread["call"], args: readonly unknown[]): FromIndexThread {
  try {
    const run = tables[call] as (...args: readonly unknown[]) => unknown
    return { id, value: run(...args) }
  } catch (error) {
    return { id, failure: failureOf(error) }
  }
}
