import { parentPort } from "node:worker_threads"
import { isAssayError } from "@assay/schemas"
import type { FromIndexThread, ToIndexThread } from "./index-messages.ts"
import { createRowTables } from "./open-tables.ts"

// The program of the thread that keeps the row tables of a server.
const tables = createRowTables()

parentPort?.on("message", ({ id, call, args }: ToIndexThread) => {
  parentPort?.postMessage(answerTo(id, call, args), [])
})

function answerTo(id: number, call: ToIndexThread["call"], args: readonly unknown[]): FromIndexThread {
  try {
    const run = tables[call] as (...args: readonly unknown[]) => unknown
    return { id, value: run(...args) }
  } catch (error) {
    const { code, context, issues } = isAssayError(error) ? error : UNKNOWN
    return { id, failure: { code, context, issues, message: error instanceof Error ? error.message : String(error) } }
  }
}

const UNKNOWN = { code: undefined, context: {}, issues: [] }
