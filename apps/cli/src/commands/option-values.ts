import { describeRange, NUMBER_RANGES, readNumber } from "@assay/json"
import type { JobStatus } from "@assay/schemas"
import { InvalidArgumentError } from "commander"

/** Fields without those that are undefined. */
type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> }

/** Returns the fields of options that were given, for a body or a query. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>
}

/** Collects the values of an option that can be repeated. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}

/** The option that names hosts which may receive keys of this machine. */
export const KEY_HOST = [
  "--key-host <host>",
  "send keys of this machine to this host, which a file names; can be repeated (ASSAY_KEY_HOSTS)",
  collect,
] as const

/** The option that names folders whose files an evaluation file may name. */
export const ALLOW_FOLDER = [
  "--allow-folder <folder>",
  "the file may name files of this folder, too, such as its rows; can be repeated (ASSAY_ALLOWED_FOLDERS)",
  collect,
] as const

/** The option that names where shards share the rates of endpoints. */
export const PACE = [
  "--pace <url>",
  "share the rates of endpoints among all shards: by this server, by postgres://… of one, or by the address in the variable of env:NAME (ASSAY_PACE)",
] as const

/** The option that allows to replace results. */
export const FORCE = ["--force", "replace the results of another job that are there"] as const

/** The statuses of jobs, and the one of runs of this machine whose process has ended. */
const STATUSES: Readonly<Record<JobStatus | "INTERRUPTED", string>> = {
  CREATED: "created",
  PENDING: "pending",
  RUNNING: "running",
  INTERRUPTED: "interrupted",
  CANCELLING: "cancelling",
  CANCELLED: "cancelled",
  COMPLETED: "completed",
  FAILED: "failed",
  UNAVAILABLE: "unavailable",
}

/** Parses the status of a job, which people may write in any case. */
export function parseStatus(text: string): string {
  const status = text.toUpperCase()
  if (Object.hasOwn(STATUSES, status)) return status
  throw new InvalidArgumentError(`There is no status '${text}'; give one of ${Object.values(STATUSES).join(", ")}.`)
}

/** The option that writes a summary for the page of a CI run. */
export const SUMMARY = [
  "--summary <file>",
  "write the verdict, scores and worst rows as Markdown; '-' means stdout, and $GITHUB_STEP_SUMMARY is appended to",
] as const

/** Returns a parser for a whole number from `minimum` to `maximum`. */
export function parseInteger(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value
    const limits = maximum === Number.MAX_SAFE_INTEGER ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`
    throw new InvalidArgumentError(`Give a whole number ${limits}.`)
  }
}

/** Parses a share from 0 to 1. */
export function parseRate(text: string): number {
  const rate = readNumber(text.trim())
  if (rate !== undefined && rate >= 0 && rate <= 1) return rate
  throw new InvalidArgumentError("Give a share from 0 to 1, such as 0.05.")
}

/** Parses requests a second. */
export function parseRequestRate(text: string): number {
  const rate = readNumber(text.trim())
  if (rate !== undefined && rate >= 0.001 && rate <= 1_000_000) return rate
  throw new InvalidArgumentError("Give requests a second from 0.001 to 1,000,000, such as 5 or 0.5.")
}

/** Parses a number that is not negative. */
export function parseMargin(text: string): number {
  const margin = readNumber(text.trim())
  if (margin !== undefined && margin >= 0 && margin <= NUMBER_RANGES.margin.maximum) return margin
  throw new InvalidArgumentError(`Give ${describeRange(NUMBER_RANGES.margin)}, such as 0.02.`)
}

/** Parses an amount of money above 0. */
export function parseAmount(text: string): number {
  const amount = readNumber(text.trim())
  if (amount !== undefined && amount > 0 && amount <= NUMBER_RANGES.money.maximum) return amount
  throw new InvalidArgumentError(`Give ${describeRange(NUMBER_RANGES.money)}, such as 12.50.`)
}

const MAX_THRESHOLDS = 20

/** Parses probabilities above 0 and up to 1, separated by commas, into a list without duplicates. */
export function parseThresholds(text: string): readonly number[] {
  const written = text.split(",")
  const numbers = written.flatMap((one) => readNumber(one.trim()) ?? [])
  const areAllowed = numbers.length === written.length && numbers.every((one) => one > 0 && one <= 1)
  if (areAllowed && numbers.length <= MAX_THRESHOLDS) return [...new Set(numbers)].toSorted((a, b) => a - b)
  throw new InvalidArgumentError(
    `Give at most ${MAX_THRESHOLDS} probabilities above 0 and up to 1, separated by commas, such as 0.2,0.5,0.9.`,
  )
}
