import type { AuditedWrite } from "./audited-write.ts"

/** Milliseconds of the periods in which failures are counted. */
const PERIOD_MS = 3_600_000
/** Number of failures of a caller that have a record of their own, in each period. */
const MAX_EACH = 100
/** Number of groups of a caller in each period. Other failures form one group for each status. */
const MAX_GROUPS = 20
/** The first status of a failure. */
const FAILURE = 400
/** The action of a group with several actions. */
const SEVERAL = "*"

/** Failures that one record counts. */
export interface FailureGroup {
  /** The record, with the request that began the group. */
  readonly write: AuditedWrite
  readonly began: number
  last: number
  /** Number of failures that are not stored yet. */
  added: number
  /** The key of the record, if it is stored. */
  seq: number | undefined
}

interface Caller {
  each: number
  readonly groups: Map<string, FailureGroup>
}

/**
 * Returns the group that counts a write, or undefined if the write has a record of its own: because it succeeded, or as one of the
 * first failures of its caller within the hour. So the records of failures are bounded for each caller, however many there are.
 */
export type GroupFailure = (write: AuditedWrite, time: number) => FailureGroup | undefined

/** Groups failures in memory: a server that starts again begins new groups. */
export function createFailureGroups(): GroupFailure {
  const callers = new Map<string | null, Caller>()
  let period = 0
  return (write, time) => {
    if (write.status < FAILURE) return undefined
    const current = Math.floor(time / PERIOD_MS)
    if (current !== period) callers.clear()
    period = current
    const caller = callers.get(write.token) ?? { each: 0, groups: new Map() }
    callers.set(write.token, caller)
    caller.each += 1
    if (caller.each <= MAX_EACH) return undefined
    const group = findGroup(caller, write, time)
    group.last = time
    group.added += 1
    return group
  }
}

function findGroup({ groups }: Caller, write: AuditedWrite, time: number): FailureGroup {
  const begin = (key: string, record: AuditedWrite): FailureGroup => {
    const group = { write: record, began: time, last: time, added: 0, seq: undefined }
    groups.set(key, group)
    return group
  }
  const { action, workspace, status } = write
  const key = JSON.stringify([action, workspace, status])
  const found = groups.get(key)
  if (found !== undefined) return found
  if (groups.size < MAX_GROUPS) return begin(key, { ...write, name: null })
  const rest = { method: SEVERAL, action: SEVERAL, kind: SEVERAL, workspace: null, name: null }
  return groups.get(String(status)) ?? begin(String(status), { ...write, ...rest })
}
