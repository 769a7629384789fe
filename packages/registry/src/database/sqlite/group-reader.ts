import { rollBack, type SqliteConnection } from "./sqlite-connection.ts"

/** Runs a read that takes no time to speak of, and answers with what it found. */
export type GroupReader = <T>(read: () => T) => Promise<T>

interface Waiting {
  run(): void
  fail(error: unknown): void
}

/**
 * Reads of many requests. What is asked for in the same turn of the event loop is read in one transaction, one after the
 * other: to begin one takes the locks that a query costs otherwise, and the answers go out together.
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
