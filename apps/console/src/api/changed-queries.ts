import type { ChangedRecord } from "@assay/schemas"
import type { QueryClient, QueryKey } from "@tanstack/react-query"

/** Milliseconds between two looks at answers that may have changed, however often records do. */
const PAUSE_MS = 2000

/** Answers that no record changes: scripts, texts that are typed, and the connection itself. */
const CONSTANT = new Set(["page", "part", "palette", "launch", "live"])
/** Parts of a job that change by its page alone: a list of a thousand jobs, and a queue that someone works through. */
const OWN = new Set(["listed", "compare", "labels"])

/** Returns whether the change of a record can change the answer of a query. */
export function isAbout([first, second, third]: QueryKey, { kind, workspace, name }: ChangedRecord): boolean {
  if (first === "audit") return kind !== "jobs"
  if (first === "session") return kind === "tokens"
  if (kind === "filesets") {
    if (first === "filesets" || first === "models") return true
    const isOfFiles = first === "files" || first === "rows" || first === "profile"
    return isOfFiles && isSame(workspace, second) && isSame(name, third)
  }
  if (kind !== "jobs") return first === kind
  if (first !== "jobs" || OWN.has(String(second)) || OWN.has(String(third))) return false
  return name === null || second === name || !String(second).startsWith("eval-")
}

function isSame(changed: string | null, part: unknown): boolean {
  return changed === null || changed === part
}

export interface ChangedQueries {
  /** Reads the visible answers about these records again, soon. Undefined: all. */
  readonly change: (changes: readonly ChangedRecord[] | undefined) => void
  readonly stop: () => void
}

/** Collects changed records, and reads the visible answers about them again, at most every 2 seconds. */
export function createChangedQueries(queries: QueryClient): ChangedQueries {
  let changed = new Map<string, ChangedRecord>()
  let readAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined

  function read(): void {
    timer = undefined
    readAt = Date.now()
    const records = changed
    changed = new Map()
    for (const [key, record] of records) {
      const predicate = ({ queryKey }: { readonly queryKey: QueryKey }) => isAbout(queryKey, record)
      // An answer that is on its way may be older than the change.
      if (queries.isFetching({ predicate }) > 0) changed.set(key, record)
      void queries.invalidateQueries({ predicate }, { cancelRefetch: false })
    }
    if (changed.size > 0) readLater()
  }
  function readLater(): void {
    timer ??= setTimeout(read, Math.max(0, readAt + PAUSE_MS - Date.now()))
  }
  return {
    change(changes) {
      if (changes === undefined) {
        void queries.invalidateQueries({ predicate: ({ queryKey }) => !CONSTANT.has(String(queryKey[0])) })
        return
      }
      for (const record of changes) changed.set(`${record.kind} ${record.workspace} ${record.name}`, record)
      if (changed.size > 0) readLater()
    },
    stop: () => clearTimeout(timer),
  }
}
