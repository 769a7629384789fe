import { setImmediate as nextTurn } from "node:timers/promises"
import { findDuplicateKey, findJsonExcess, parseExactJson } from "@assay/json"
import { createRowValues } from "@assay/metrics"
import { rowLines } from "@assay/results"
import type { EvaluationRow } from "@assay/schemas"
import type { BundleSide } from "../statement/verdict-statement.ts"
import { refused } from "../envelope/dsse-envelope.ts"
import { CHECK_BYTES, measureRows } from "../rows/measure-rows.ts"
import { splitLines } from "../rows/split-lines.ts"
import type { EvidencePorts } from "../sides/evidence-ports.ts"
import type { PlannedSide, ReadableSide } from "../sides/plan-side.ts"
import type { Differences } from "../sides/differences.ts"
import { keepRows, type KeptRows } from "./keep-rows.ts"
import { createRowScorer, type ScoreCounts } from "./score-row.ts"

export interface CheckedRows {
  /** Whether the rows are those of the statement. If not, nothing can be computed from them. */
  readonly isWhole: boolean
  readonly counts: ScoreCounts
  /** The rows without their texts. Undefined: they have to be read again. */
  readonly kept: KeptRows | undefined
}

export interface CheckRowsOptions {
  readonly plan: PlannedSide
  /** Whether texts are left out, so that no score of a row can be computed. */
  readonly isRedacted: boolean
  readonly differences: Differences
  readonly ports: EvidencePorts
}

const LIMITS = { depth: 1000, parts: 2_000_000, values: 4_000_000, keys: 200_000 } as const
/** How long a turn takes before other work of the process is done, in milliseconds. */
const TURN_MS = 20

/**
 * Reads the rows of a side once: compares each with the Merkle tree of the statement, and computes its scores again.
 * @throws `bad_document` for a row that is signed and is not a row
 */
export async function checkRows(
  { side, rows }: ReadableSide,
  { plan, isRedacted, differences, ports }: CheckRowsOptions,
): Promise<CheckedRows> {
  const { now, signal } = ports
  const measure = measureRows()
  const checks = Buffer.from(side.rows.checks, "base64")
  const scorer = createRowScorer(side, isRedacted ? undefined : plan, { differences, ports })
  const checkUnit = createUnitCheck(side, plan)
  const kept = keepRows(plan, side.rows.count)
  let number = 0
  let changed = 0
  let since = now()
  for await (const lines of splitLines(rows(signal))) {
    for (const line of lines) {
      const known = checks.subarray(number * CHECK_BYTES, (number + 1) * CHECK_BYTES)
      const found = measure.add(line)
      number++
      if (!found.equals(known)) {
        changed++
        differences.add(`${side.role}: line ${number} of the rows`, hex(known), hex(found))
      } else if (changed === 0) {
        const row = parseRow(line, number)
        checkUnit(row, number)
        await scorer.add(row)
        kept?.add(row)
      }
      if (now() - since < TURN_MS) continue
      await nextTurn()
      signal.throwIfAborted()
      since = now()
    }
  }
  const before = differences.total
  compareDigest(side, measure.digest(), differences)
  return { isWhole: changed === 0 && differences.total === before, counts: scorer.counts(), kept }
}

function hex(check: Buffer): string | null {
  return check.length === 0 ? null : check.toString("hex")
}

function compareDigest(
  { role, rows }: BundleSide,
  found: ReturnType<ReturnType<typeof measureRows>["digest"]>,
  differences: Differences,
): void {
  for (const field of ["count", "bytes", "root", "sha256"] as const) {
    if (found[field] !== rows[field]) differences.add(`${role}: rows.${field}`, rows[field], found[field])
  }
}

/** Parses a line that the signer has signed. A row with two values under one key would mean different things to different readers. */
function parseRow(line: Buffer, number: number): EvaluationRow {
  const text = line.toString()
  const where = `line ${number} of the rows`
  if (findJsonExcess(text, LIMITS) !== undefined) throw refused(`${where} is nested too deeply, or has too many values`)
  const { value, hasExact } = parse(text, where)
  if (!rowLines.isWhole(value)) throw refused(`${where} is not a row`)
  const duplicate = findDuplicateKey(text, value, hasExact)
  if (duplicate !== undefined) throw refused(`${where} has the key ${JSON.stringify(duplicate.key)} twice`)
  return value
}

/** Units with lower numbers than this may be missing. Counting takes memory for each number, also for those of missing rows. */
const MAX_SPARSE = 2 ** 24

/**
 * Returns the function that refuses a row which its job can't have. Counting takes the highest attempt of a unit, and comparing its last line: an earlier attempt behind
 * a later one would give them two answers.
 */
function createUnitCheck({ units, rows }: BundleSide, { tasks }: PlannedSide) {
  const attempts = new Map(tasks.map(({ name }) => [name, createRowValues()]))
  const limit = Math.max(MAX_SPARSE, 2 * rows.count)
  const limits = new Map(tasks.map(({ name, repeats }) => [name, { repeats, most: Math.min(units[name] ?? 0, limit) }]))
  return ({ task, row_index, repeat, attempt }: EvaluationRow, number: number): void => {
    const { repeats = 0, most = 0 } = limits.get(task) ?? {}
    if (repeat >= repeats || row_index * repeats + repeat >= most) {
      throw refused(`line ${number} of the rows is not one of the ${most} units of its task`)
    }
    const known = attempts.get(task)
    if (attempt < (known?.get(row_index, repeat) ?? 0)) {
      throw refused(`line ${number} of the rows has an earlier attempt than a line before it`)
    }
    known?.set(row_index, repeat, attempt)
  }
}

function parse(text: string, where: string): { readonly value: unknown; readonly hasExact: boolean } {
  try {
    return parseExactJson(text)
  } catch {
    throw refused(`${where} is not JSON`)
  }
}
