import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type Column, type ColumnKind, openColumn } from "./column.ts"
import type { JournalPosition, JournalTail } from "./journal-position.ts"

/** The state of a table when it was saved. */
export interface SavedTable {
  readonly version: number
  readonly count: number
  readonly position: JournalPosition
  readonly tail: JournalTail | undefined
  readonly scores: readonly string[]
  readonly texts: Readonly<Record<string, readonly string[]>>
  /** CRC-32 by the file name of the column. */
  readonly checksums: Readonly<Record<string, number>>
}

/** Changes with the meaning of the columns. Tables of other versions are made again. */
const VERSION = 3
const SAVED = "table.json"

/** Reads what was saved in a folder. Returns undefined if nothing was, or if the file is damaged or of another version. */
export function readSaved(folder: string): SavedTable | undefined {
  try {
    const saved = JSON.parse(readFileSync(join(folder, SAVED), "utf8")) as SavedTable
    return saved.version === VERSION ? saved : undefined
  } catch {
    return undefined
  }
}

/** Saves a table. Nothing waits for the disk: `openColumns` finds out whether the columns are those that were saved. */
export function writeSaved(folder: string, table: Omit<SavedTable, "version">): void {
  const path = join(folder, SAVED)
  writeFileSync(`${path}.new`, JSON.stringify({ version: VERSION, ...table }), { mode: 0o600 })
  renameSync(`${path}.new`, path)
}

/** Removes what was saved, so that the next table begins empty. */
export function removeSaved(folder: string): void {
  rmSync(join(folder, SAVED), { force: true })
}

/**
 * Opens columns by file name. Returns undefined if one does not have the numbers that were saved.
 * @param saved absent: the columns are empty
 */
export function openColumns(
  folder: string,
  kinds: Readonly<Record<string, ColumnKind>>,
  saved?: SavedTable,
): Map<string, Column> | undefined {
  const columns = new Map<string, Column>()
  const closeAll = () => {
    for (const column of columns.values()) column.close()
  }
  try {
    for (const [name, kind] of Object.entries(kinds)) {
      const kept = saved && { count: saved.count, checksum: saved.checksums[name] ?? -1 }
      const column = openColumn(join(folder, name), kind, kept)
      if (column === undefined) {
        closeAll()
        return undefined
      }
      columns.set(name, column)
    }
    return columns
  } catch (error) {
    closeAll()
    throw error
  }
}
