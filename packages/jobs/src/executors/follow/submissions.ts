import { Type } from "@sinclair/typebox"
import { Value } from "@sinclair/typebox/value"
import { isAssayError } from "@assay/schemas/errors"
import { type FilePath, parseFilePath } from "@assay/storage"
import { createChangedFiles } from "../../cut-runs/store/changed-files.ts"
import { readJson, type RunStore, writeJson } from "../../cut-runs/store/run-store.ts"
import type { Submission } from "../executor.ts"

/** What a submission asks for. Whoever follows the run submits missing shards again in the same way. */
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

/** A submission, as a run keeps it: `submissions/00001.json` before the engine is asked, and `submissions/00001-given.json` after it. */
export interface StoredSubmission extends SubmissionRequest {
  /** From 1, in the order in which they were submitted. */
  readonly number: number
  /** Milliseconds since 1970, UTC. */
  readonly at: number
  /** What the engine was given. Undefined: it was not yet, or the process that submitted it was killed. */
  readonly given: Submission | undefined
  /** Whether the run has failed with it: one of its shards ended without rows as often as it may, and the others were stopped. */
  readonly hasFailed: boolean
}

const Index = Type.Integer({ minimum: 0 })
const RequestFrame = Type.Object({
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
})
const GivenFrame = Type.Object({
  executor: Type.String(),
  ids: Type.Array(Type.String()),
  indexes: Type.Array(Index),
  merges: Type.Boolean(),
})

/** The submissions of a run. */
export interface Submissions {
  list(signal?: AbortSignal): Promise<ListedSubmissions>
  /** Keeps a submission before its engine is asked. Returns its number, or undefined if another process has kept one meanwhile. */
  claim(request: SubmissionRequest & { readonly at: number }): Promise<number | undefined>
  /** Keeps what the engine was given. */
  settle(number: number, given: Submission): Promise<void>
  /** Notes that all submissions up to now are cancelled, so that nobody submits their shards again. */
  cancel(): Promise<void>
  /** Notes that the run has failed with all submissions up to now. */
  fail(): Promise<void>
}

export interface ListedSubmissions {
  /** Those that are not cancelled, the oldest first. */
  readonly active: readonly StoredSubmission[]
  readonly all: readonly StoredSubmission[]
  /** Whether the newest submission was cancelled. */
  readonly isCancelled: boolean
}

const FOLDER = "submissions/"

export function openSubmissions(store: RunStore): Submissions {
  const files = createChangedFiles((path) => readJson(store, path).catch(() => undefined))
  const pathOf = (number: number, what = ""): FilePath =>
    parseFilePath(`${FOLDER}${String(number).padStart(5, "0")}${what}.json`)
  const listFiles = (signal?: AbortSignal) => Array.fromAsync(store.storage.list({ prefix: FOLDER, signal }))
  const lastNumber = async () => Math.max(0, ...(await listFiles()).map(({ path }) => numberOf(path)))
  const mark = async (what: string) => {
    const last = await lastNumber()
    if (last > 0) await writeJson(store, pathOf(last, what), {})
  }
  return {
    async list(signal) {
      const found = await files.read(await listFiles(signal), signal)
      const numbers = [...found.keys()].filter((path) => /\/\d+\.json$/.test(path)).map(numberOf)
      const last = Math.max(0, ...numbers)
      const lastWith = (end: string) =>
        Math.max(0, ...[...found.keys()].filter((path) => path.endsWith(end)).map(numberOf))
      const cancelled = lastWith("-cancelled.json")
      const failed = lastWith("-failed.json")
      const all = numbers
        .toSorted((a, b) => a - b)
        .flatMap((number) => {
          const request = found.get(pathOf(number))
          const given = found.get(pathOf(number, "-given"))
          return Value.Check(RequestFrame, request)
            ? [
                {
                  ...request,
                  number,
                  given: Value.Check(GivenFrame, given) ? given : undefined,
                  hasFailed: number <= failed,
                },
              ]
            : []
        })
      return { all, active: all.filter(({ number }) => number > cancelled), isCancelled: last > 0 && cancelled >= last }
    },
    async claim(request) {
      const number = (await lastNumber()) + 1
      try {
        await writeJson(store, pathOf(number), request, { isNew: true })
        return number
      } catch (error) {
        if (isAssayError(error, "precondition_failed")) return undefined
        throw error
      }
    },
    settle: async (number, given) => void (await writeJson(store, pathOf(number, "-given"), given)),
    cancel: () => mark("-cancelled"),
    fail: () => mark("-failed"),
  }
}

function numberOf(path: string): number {
  return Number(/\/(\d+)/.exec(path)?.[1] ?? 0)
}
