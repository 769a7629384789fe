import { openRowTable, type RowTable } from "./row-table.ts"

export interface TablesLimits {
  readonly tables: number
  /** Bytes of all tables in memory. */
  readonly bytes: number
}

export interface OpenTable {
  readonly table: RowTable
  hasUnsaved: boolean
  /** Whether the table is known to be that of its journal. */
  isProven: boolean
}

/** Tables by their folder, of which the most recently used ones stay open. */
export interface LimitedTables {
  readonly use: (folder: string) => OpenTable
  /** Runs an operation, and closes tables only afterwards: the operation can use several. */
  readonly within: <T>(operation: () => T) => T
  /** Drops a table. The next use opens what was saved. */
  drop(folder: string): void
  close(): void
}

export function createLimitedTables(limits: TablesLimits): LimitedTables {
  /** The most recently used is last. */
  const open = new Map<string, OpenTable>()

  function limitOpen(): void {
    for (const [folder, used] of open) {
      if (open.size <= limits.tables) break
      // Rows that are not saved would have to be added again, in the middle of a journal.
      saveTable(used)
      used.table.close()
      open.delete(folder)
    }
    let bytes = 0
    for (const { table } of [...open.values()].toReversed()) {
      bytes += table.size()
      if (bytes > limits.bytes) table.forget()
    }
  }

  return {
    use(folder) {
      const used = open.get(folder) ?? openTable(folder)
      open.delete(folder)
      open.set(folder, used)
      return used
    },
    within(operation) {
      try {
        return operation()
      } finally {
        limitOpen()
      }
    },
    drop(folder) {
      open.get(folder)?.table.close()
      open.delete(folder)
    },
    close() {
      for (const { table } of open.values()) table.close()
      open.clear()
    },
  }
}

function openTable(folder: string): OpenTable {
  const table = openRowTable(folder)
  return { table, hasUnsaved: false, isProven: table.tail === undefined }
}

export function saveTable(used: OpenTable): void {
  if (used.hasUnsaved) used.table.save()
  used.hasUnsaved = false
}
