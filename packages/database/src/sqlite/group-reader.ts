import { rollBack, type SqliteConnection } from "./connection.ts"

/** Runs a short read and returns its result. */
type GroupReader = <T>(read: () => T) => Promise<T>

interface Waiting {
  run(): void
  fail(error: unknown): void
}

/**
 * Groups the reads of many requests. All reads of one turn of the event loop run in one transaction, one after the other:
 * otherwise each query would take its own locks.
 * @param begin begins a transaction on `connection`
 */
export function groupReader(connection: SqliteConnection, begin: () => void): GroupReader {
  let waiting: Waiting[] = []

  function readAll(): void {
    const group = waiting
    waiting = []
    try {
      begin()
      for (const read of group) read.run()
      connection.run("commit")
    } catch (error) {
      for (const read of group) read.fail(error)
      rollBack(connection)
    }
  }

  return (read) =>
    new Promise((resolve, reject) => {
      waiting.push({
        run() {
          try {
            resolve(read())
          } catch (error) {
            reject(error)
          }
        },
        fail: reject,
      })
      if (waiting.length === 1) setImmediate(readAll)
    })
}
