import { isDeepStrictEqual } from "node:util"
import type { CallKind, Disk, Failing, SystemError } from "../open-disk.ts"
import { runAssay } from "../run-assay.ts"
import { startOnDisk } from "../start-on-disk.ts"
import type { Answer, Operation, Send, Surroundings, Trial } from "./operation.ts"
import { endOf, launch } from "./job-operations.ts"

/** The errors that a call of each kind can return, the likeliest first. */
const ERRORS: readonly (readonly [CallKind, readonly SystemError[]])[] = [
  ["open", ["EMFILE", "EIO"]],
  ["create", ["ENOSPC", "EROFS", "EMFILE"]],
  ["read", ["EIO"]],
  ["write", ["ENOSPC", "EIO"]],
  ["sync", ["EIO"]],
  ["rename", ["ENOSPC", "EROFS"]],
  ["link", ["ENOSPC", "EIO"]],
  ["unlink", ["EROFS", "EIO"]],
  ["mkdir", ["ENOSPC", "EROFS"]],
  ["rmdir", ["EROFS"]],
  ["truncate", ["EIO"]],
  ["times", ["EIO"]],
]

/** More calls of one kind than any operation makes. */
const MAX_CALLS = 60
/** Milliseconds for an answer while calls fail. */
const PATIENCE_MS = 1500
const ALL_LATER = 0x7fff_ffff

/** The fault of one try. */
export interface Fault {
  readonly operation: string
  readonly failing: Failing
  readonly what: string
  readonly answer: string
}

export interface SweepReport {
  readonly tries: number
  readonly errors: number
  readonly faults: readonly Fault[]
}

export interface SweepOptions {
  readonly disk: Disk
  readonly operations: readonly Operation[]
  /** Starts the server of another checkout. */
  readonly checkout?: string | undefined
}

interface Case {
  readonly operation: Operation
  readonly failing: Failing
  readonly trial: Trial
  readonly before: unknown
  readonly answer: Answer
  readonly after: unknown
}

/** Statuses that say that the server could not do it now. */
const HONEST: ReadonlySet<number> = new Set([502, 503, 507])

/**
 * Tries each operation once for each call that it makes: that call fails, or all calls of its kind from there on. After an error the
 * state must be that of before, at once and after a restart. After a success it must be the new state after a restart too.
 */
export async function sweepFaults(
  { disk, operations, checkout }: SweepOptions,
  log: (line: string) => void,
): Promise<SweepReport> {
  const faults: Fault[] = []
  let tries = 0
  let errors = 0
  let id = 0
  let server = await startOnDisk(disk.folder, { env: disk.env, checkout })
  const jobs = [await launch(server.send), await launch(server.send)] as const
  for (const job of jobs) await endOf(server.send, job)
  /** Requests go to the server that runs now. */
  let isFailing = false
  const send: Send = (...args) => (isFailing ? server.sendWithin(PATIENCE_MS) : server.send)(...args)
  const around: Surroundings = {
    send,
    folder: disk.folder,
    assay: (args) => runAssay(args, disk.env, checkout),
    startOther: (dataFolder) => startOnDisk(dataFolder, { checkout }),
    job: jobs[0],
    otherJob: jobs[1],
  }
  const restart = async () => {
    await server.kill()
    server = await startOnDisk(disk.folder, { env: disk.env, checkout })
  }

  for (const operation of operations) {
    const cases: Case[] = []
    const found: Fault[] = []
    for (const [kind, kindErrors] of ERRORS) {
      for (const error of kindErrors) {
        for (const count of [1, ALL_LATER]) {
          for (let first = 1; first <= MAX_CALLS; first++) {
            const failing = { kind, error, first, count }
            const tried = await tryOnce({ disk, operation, around, failing, id: `t${id++}` }, (is) => (isFailing = is))
            tries++
            if (server.isGone()) {
              found.push(faultOf(tried, "the server ended"))
              await restart()
            }
            if (tried.failed === 0) {
              if (isError(tried.answer)) found.push(faultOf(tried, "an error although nothing failed"))
              break
            }
            cases.push(tried)
            if (isError(tried.answer)) errors++
            const what = whatIsWrong(tried)
            if (what !== undefined) found.push(faultOf(tried, what))
          }
        }
      }
    }
    await restart()
    for (const one of cases) {
      // Without an answer, the effect is not known.
      if (one.answer.status === 0) continue
      const now = await one.trial.read()
      if (!isDeepStrictEqual(now, one.after)) found.push(faultOf(one, `after a restart: ${difference(one.after, now)}`))
    }
    log(`${operation.name}: ${cases.length} failures, ${found.length} faults`)
    for (const fault of found) log(`  ${describeFault(fault)}`)
    faults.push(...found)
  }
  await server.stop()
  return { tries, errors, faults }
}

interface Try {
  readonly disk: Disk
  readonly operation: Operation
  readonly around: Surroundings
  readonly failing: Failing
  readonly id: string
}

async function tryOnce(
  { disk, operation, around, failing, id }: Try,
  onFailing: (isFailing: boolean) => void,
): Promise<Case & { readonly failed: number }> {
  const trial = await operation.prepare(around, id)
  const before = await trial.read()
  disk.fail(failing)
  onFailing(true)
  const answer = await trial.run()
  onFailing(false)
  const failed = disk.recover()
  const after = await trial.read()
  return { operation, failing, trial, before, answer, after, failed }
}

const isError = ({ status }: Answer) => status === 0 || status >= 400

function whatIsWrong({ trial: { wanted }, answer, before, after }: Case): string | undefined {
  if (answer.status === 0) return undefined
  if (!isError(answer)) {
    if (wanted === undefined || isDeepStrictEqual(after, wanted)) return undefined
    return `a success without its effect: ${difference(wanted, after)}`
  }
  if (!isDeepStrictEqual(before, after)) return `an error with an effect: ${difference(before, after)}`
  return HONEST.has(answer.status) ? undefined : "a status that blames something else"
}

function difference(before: unknown, after: unknown): string {
  const [a, b] = [JSON.stringify(before) ?? "", JSON.stringify(after) ?? ""]
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  const part = (text: string) => text.slice(Math.max(0, start - 60), start + 60)
  return `${part(a)} became ${part(b)}`
}

function faultOf({ operation, failing, answer }: Omit<Case, "trial">, what: string): Fault {
  return { operation: operation.name, failing, what, answer: `${answer.status} ${answer.text.slice(0, 300)}` }
}

export function describeFault({ failing: { kind, error, first, count }, what, answer }: Fault): string {
  return `${kind} ${error} at ${first}${count === 1 ? "" : " and later"}: ${what} (${answer})`
}
