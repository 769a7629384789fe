import { LRUCache } from "lru-cache"
import type { AuditedWrite } from "./audited-write.ts"

/** Milliseconds of the periods in which writes are counted together. */
const PERIOD_MS = 3_600_000
/** Number of failures of a caller that have a record of their own, in each period; the same of files that the caller deletes. */
const MAX_EACH = 100
/** Number of groups of failures of a caller in each period. Other failures form one group for each status. */
const MAX_FAILURES = 20
/** Number of groups of files of a caller that are kept to be counted further. */
const MAX_FILES = 1000
/** The first status of a failure. */
const FAILURE = 400
/** The action of a group with several actions. */
const SEVERAL = "*"

/** Writes that one record counts. */
export interface RecordGroup {
  /** The record, with the request that began the group. */
  readonly write: AuditedWrite
  /** The name of a record that counts several writes. */
  readonly name: string | null
  readonly began: number
  last: number
  /** Number of writes that are not stored yet. */
  added: number
  /** The key of the record, if it is stored. */
  seq: number | undefined
}

interface Caller {
  failed: number
  deleted: number
  readonly failures: Map<string, RecordGroup>
  readonly files: LRUCache<string, RecordGroup>
}

/**
 * Returns the group that counts a write, or undefined if the write has a record of its own. Files that a caller writes to a fileset are counted
 * together; so are failures and deleted files beyond the first of the hour. So they bury no other records, however many they are.
 */
export type GroupWrite = (write: AuditedWrite, time: number) => RecordGroup | undefined

/** Groups writes in memory: a server that starts again begins new groups. */
export function createRecordGroups(): GroupWrite {
  const callers = new Map<string | null, Caller>()
  let period = 0
  return (write, time) => {
    if (write.status < FAILURE && write.fileset === undefined) return undefined
    const current = Math.floor(time / PERIOD_MS)
    if (current !== period) callers.clear()
    period = current
    const id = write.token ?? write.subject
    const caller = callers.get(id) ?? newCaller()
    callers.set(id, caller)
    const group = write.status < FAILURE ? findFiles(caller, write, time) : findFailures(caller, write, time)
    if (group === undefined) return undefined
    group.last = time
    group.added += 1
    return group
  }
}

function newCaller(): Caller {
  return { failed: 0, deleted: 0, failures: new Map(), files: new LRUCache({ max: MAX_FILES }) }
}

function begin(write: AuditedWrite, name: string | null, time: number): RecordGroup {
  return { write, name, began: time, last: time, added: 0, seq: undefined }
}

function findFiles(caller: Caller, write: AuditedWrite, time: number): RecordGroup | undefined {
  const { action, method, workspace, fileset = null, status, door, address } = write
  if (method === "DELETE") {
    caller.deleted += 1
    if (caller.deleted <= MAX_EACH) return undefined
  }
  const key = JSON.stringify([action, workspace, fileset, status, door, address])
  const found = caller.files.get(key) ?? begin(write, fileset, time)
  caller.files.set(key, found)
  return found
}

function findFailures(caller: Caller, write: AuditedWrite, time: number): RecordGroup | undefined {
  caller.failed += 1
  if (caller.failed <= MAX_EACH) return undefined
  const { failures } = caller
  const add = (key: string, record: AuditedWrite): RecordGroup => {
    const group = begin(record, null, time)
    failures.set(key, group)
    return group
  }
  const { action, workspace, status } = write
  const key = JSON.stringify([action, workspace, status])
  const found = failures.get(key)
  if (found !== undefined) return found
  if (failures.size < MAX_FAILURES) return add(key, { ...write, name: null })
  const rest = { method: SEVERAL, action: SEVERAL, kind: SEVERAL, workspace: null, name: null }
  return failures.get(String(status)) ?? add(String(status), { ...write, ...rest })
}
