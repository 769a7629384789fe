import type * as sqlite from "node:sqlite"
import type * as threads from "node:worker_threads"

/** A statement for a scan thread. */
export interface ScanStatement {
  readonly text: string
  readonly parameters: readonly sqlite.SQLInputValue[]
}

export type ScanAnswer =
  | { readonly rows: unknown[] }
  | { readonly message: string; readonly errcode: number | undefined }

export interface ScanThreadData {
  readonly file: string
}

/**
 * Returns the program of a scan thread. It opens the database for reading and runs one statement after the other.
 *
 * A thread starts from the text of this function, which therefore works in a bundle as it does from the source. It must not use
 * anything from outside: it gets all modules from `load`.
 */
export function scanProgram(load: NodeJS.Require): void {
  const { DatabaseSync } = load("node:sqlite") as typeof sqlite
  const { parentPort, workerData } = load("node:worker_threads") as typeof threads
  const { file } = workerData as ScanThreadData
  const database = new DatabaseSync(file, { readOnly: true, timeout: 5000 })
  database.exec("pragma query_only = on")
  database.exec("pragma cache_size = -16384")

  function run({ text, parameters }: ScanStatement): ScanAnswer {
    try {
      return { rows: database.prepare(text).all(...parameters) }
    } catch (error) {
      const errcode = error instanceof Error && "errcode" in error ? Number(error.errcode) : undefined
      return { message: error instanceof Error ? error.message : String(error), errcode }
    }
  }
  parentPort?.on("message", (statement: ScanStatement) => parentPort.postMessage(run(statement), []))
}
