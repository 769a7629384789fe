import { type Static, Type } from "@sinclair/typebox"
import { isAssayError } from "@assay/schemas/errors"
import { type FilePath, parseFilePath } from "@assay/storage"
import { createChangedFiles } from "../run/changed-files.ts"
import { listFiles, readRecord, type RunStore, writeJson } from "../run/run-store.ts"
import type { Submission } from "../executor.ts"

/** The request of a submission. A process that follows the run submits missing shards again in the same way. */
export interface SubmissionRequest {
  readonly executor: string
  /** The profile of the executor. It contains no secrets. */
  readonly profile: { readonly name?: string | undefined; readonly values: object }
  /** The words that start `assay` where shards run. */
  readonly program: readonly string[]
  /** Further words of `eval shard`. */
  readonly options: readonly string[]
  readonly at_once: number
  /** How often missing shards are submitted again. */
  readonly retries: number
  /** Whether the engine also merges the results. */
  readonly merges: boolean
  readonly indexes: readonly number[]
  /** How often these shards were submitted before since a user asked for them: 0 for the first time. -1: the follower has to submit them. */
  readonly round: number
}

/** The counts of a shard when it was submitted. A follower compares with them, because the clocks of two machines differ. */
export interface ShardBefore {
  /** When its last process wrote counts, as that process said. */
  readonly updated?: number | undefined
  /** The number of its last failure. */
  readonly failure?: number | undefined
}

/** A submission, as a run keeps it: `submissions/00001.json` before the engine is asked, and `submissions/00001-given.json` after it. */
export interface StoredSubmission extends SubmissionRequest {
  /** From 1, in the order in which they were submitted. Marks that the run was cancelled, or has failed, have numbers of the same order. */
  readonly number: number
  /** When it was kept, as the process that submitted it says. Milliseconds since 1970, UTC. */
  readonly at: number
  /** Shards that had begun before, by their index. */
  readonly before: Readonly<Record<string, ShardBefore>>
  /** The submission that the engine received. Undefined: none yet, or the process that submitted it was killed. */
  readonly given: Submission | undefined
  /** Whether the run has failed with it: one of its shards ended without rows as often as it may, and the others were stopped. */
  readonly hasFailed: boolean
}

/** Returns whether an engine has the submission. It has none that it refused, and none that a follower has yet to submit. */
export function isGiven(stored: StoredSubmission): stored is StoredSubmission & { readonly given: Submission } {
  return stored.given !== undefined && stored.given.ids.length > 0
}

/** Returns what a submission asked for. */
export function requestOf(stored: StoredSubmission): SubmissionRequest {
  const { number: _number, at: _at, before: _before, given: _given, hasFailed: _hasFailed, ...request } = stored
  return request
}

const Index = Type.Integer({ minimum: 0 })
const Request = Type.Object({
  executor: Type.String(),
  profile: Type.Object({ name: Type.Optional(Type.String()), values: Type.Object({}) }),
  program: Type.Array(Type.String()),
  options: Type.Array(Type.String()),
  at_once: Type.Integer({ minimum: 1 }),
  retries: Index,
  merges: Type.Boolean(),
  indexes: Type.Array(Index),
  round: Type.Integer({ minimum: -1 }),
  at: Type.Number(),
  before: Type.Record(
    Type.String(),
    Type.Object({ updated: Type.Optional(Type.Number()), failure: Type.Optional(Type.Number()) }),
  ),
})
/** Takes a number, and says what has ended all submissions before it. */
const Mark = Type.Object({ ends: Type.Union([Type.Literal("cancelled"), Type.Literal("failed")]) })
const Given = Type.Object({
  ids: Type.Array(Type.String()),
  indexes: Type.Array(Index),
  merges: Type.Boolean(),
  logs: Type.Optional(Type.String()),
})

/** The submissions of a run. */
export interface Submissions {
  list(signal?: AbortSignal): Promise<ListedSubmissions>
  /**
   * Keeps a submission before its engine is asked. Returns undefined if another process has kept one, or has ended the run, since `seen`: the last number
   * that was listed when this process decided to submit.
   */
  claim(request: ClaimedRequest, seen: number): Promise<number | undefined>
  /** Keeps what the engine was given. */
  settle(number: number, given: Submission): Promise<void>
  /** Notes that all submissions up to now are cancelled, or that the run has failed with them, so that nobody submits their shards again. Returns them. */
  end(how: Static<typeof Mark>["ends"]): Promise<readonly StoredSubmission[]>
}

export type ClaimedRequest = SubmissionRequest & Pick<StoredSubmission, "at" | "before">

export interface ListedSubmissions {
  /** Those that are not cancelled, the oldest first. */
  readonly active: readonly StoredSubmission[]
  readonly all: readonly StoredSubmission[]
  /** Whether the newest submission was cancelled. */
  readonly isCancelled: boolean
  /** The last number that is taken. */
  readonly last: number
}

const FOLDER = "submissions/"

export function openSubmissions(store: RunStore): Submissions {
  const requests = createChangedFiles((path) => readRecord(store, path, Type.Union([Mark, Request])))
  const allGiven = createChangedFiles((path) => readRecord(store, path, Given))
  const pathOf = (number: number, what = ""): FilePath =>
    parseFilePath(`${FOLDER}${String(number).padStart(5, "0")}${what}.json`)
  const isTaken = ({ path }: { readonly path: string }) => /\/\d+\.json$/.test(path)
  const lastOf = (files: readonly { readonly path: string }[]) =>
    Math.max(0, ...files.filter(isTaken).map(({ path }) => submissionNumber(path)))

  /** Takes a number with a file that must not exist. Returns whether this process has it. */
  async function take(number: number, value: object): Promise<boolean> {
    try {
      await writeJson(store, pathOf(number), value, { isNew: true })
      return true
    } catch (error) {
      if (isAssayError(error, "precondition_failed")) return false
      throw error
    }
  }
  async function read(signal?: AbortSignal) {
    const files = await listFiles(store, FOLDER, signal)
    const found = await requests.read(files.filter(isTaken), signal)
    const given = await allGiven.read(
      files.filter(({ path }) => path.endsWith("-given.json")),
      signal,
    )
    const taken = [...found].map(([path, value]) => ({ number: submissionNumber(path), value }))
    const marks = taken.flatMap(({ number, value }) => ("ends" in value ? [{ number, ends: value.ends }] : []))
    const failed = lastMark(marks, "failed")
    const all = taken
      .flatMap(({ number, value }): StoredSubmission[] => {
        if ("ends" in value) return []
        return [{ ...value, number, given: given.get(pathOf(number, "-given")), hasFailed: number < failed }]
      })
      .toSorted((a, b) => a.number - b.number)
    return { all, marks, last: lastOf(files) }
  }
  return {
    async list(signal) {
      const { all, marks, last } = await read(signal)
      const cancelled = lastMark(marks, "cancelled")
      const active = all.filter(({ number }) => number > cancelled)
      return { all, active, last, isCancelled: all.length > 0 && active.length === 0 }
    },
    claim: async (request, seen) => ((await take(seen + 1, request)) ? seen + 1 : undefined),
    settle: async (number, given) => void (await writeJson(store, pathOf(number, "-given"), given)),
    async end(ends) {
      while (!(await take(lastOf(await listFiles(store, FOLDER)) + 1, { ends })));
      const { all, marks } = await read()
      // A second cancellation stops the same submissions again: an engine can have been away.
      const newest = all.at(-1)?.number ?? 0
      const before = lastMark(
        marks.filter(({ number }) => number < newest),
        "cancelled",
      )
      return all.filter(({ number }) => number > before)
    },
  }
}

function lastMark(marks: readonly { readonly number: number; readonly ends: string }[], of: string): number {
  return Math.max(0, ...marks.filter(({ ends }) => ends === of).map(({ number }) => number))
}

function submissionNumber(path: string): number {
  return Number(/\/(\d+)/.exec(path)?.[1] ?? 0)
}
