import { closeSync, openSync } from "node:fs"
import { backup, DatabaseSync } from "node:sqlite"

/** In one step: SQLite begins again whenever another process commits between two. Readers hold no writer up. */
const ALL_PAGES = 2 ** 31 - 1

/** Copies the SQLite database in `from`, as of one moment, to the new file `to`, while a server works on it. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  closeSync(openSync(to, "wx", 0o600))
  const source = new DatabaseSync(from, { timeout: 30_000 })
  try {
    await backup(source, to, { rate: ALL_PAGES })
  } finally {
    source.close()
  }
}
