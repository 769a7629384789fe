import type { MetricConfig } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { parseYaml } from "@assay/validation"
import type { ImportNotes } from "../output/import-notes.ts"
import { createCheckCollector } from "./collect-checks.ts"
import { combineVars } from "./combine-vars.ts"
import type { JudgeModel } from "./map-assertion.ts"
import { readProvider } from "./read-providers.ts"
import type { ImportedTest } from "./read-tests.ts"
import { endingOf, type SourceFiles } from "./source-files.ts"
import { plainValue, type SourceValue } from "./source-value.ts"

/** The address of a model and its name. */
export interface ModelAddress {
  readonly url: string
  readonly name: string
}

export interface RowsToCreate {
  readonly tests: readonly ImportedTest[]
  /** The variables that prompts read. */
  readonly names: ReadonlySet<string>
  readonly files: SourceFiles
  readonly notes: ImportNotes
  readonly judge: ModelAddress | undefined
}

type Row = Record<string, unknown>

/** Rows further than this are not read by one task anyway. */
const MAX_ROWS = 100_000

/** Creates the rows of all tests, and the metric that checks them. @throws `bad_document` */
export async function createRows(given: RowsToCreate): Promise<{
  readonly rows: readonly Row[]
  readonly metrics: Readonly<Record<string, MetricConfig>>
}> {
  const { tests, notes, names } = given
  const checks = createCheckCollector(notes)
  const rows: Row[] = []
  const thresholds = new Map<number, number>()
  for (const test of tests) {
    for (const vars of combineVars(test)) {
      if (rows.length >= MAX_ROWS)
        throw new AssayError("bad_document", `${test.location}: More than ${MAX_ROWS} rows are not imported.`)
      const index = rows.length
      rows.push({ ...vars })
      await checks.add(test.asserts, { index, vars, judgeOf: judgeOf(test, given), readValue: readValue(given.files) })
      if (test.threshold !== undefined) thresholds.set(index, test.threshold)
    }
  }
  completeRows(rows, names)
  const columns = new Set(rows.flatMap((row) => Object.keys(row)))
  const setColumn = (wanted: string, values: ReadonlyMap<number, unknown>): string => {
    const base = `check_${wanted.replaceAll(/\W+/g, "_")}`
    let name = base
    for (let number = 2; columns.has(name); number += 1) name = `${base}_${number}`
    columns.add(name)
    for (const [index, row] of rows.entries()) row[name] = values.get(index) ?? null
    return name
  }
  const list = checks.build(rows.length, setColumn)
  if (Object.keys(list).length === 0) return { rows, metrics: { latency: { type: "latency" } } }
  const all = new Set(thresholds.values())
  const isOne = all.size === 1 && thresholds.size === rows.length
  const [only] = all
  const threshold =
    all.size === 0 ? {} : { threshold: isOne ? only : `{{ item.${setColumn("threshold", thresholds)} }}` }
  return { rows, metrics: { test: { type: "checklist", params: { ...threshold, checks: list } } } }
}

/** Gives each row all variables. One that a test does not have is an empty text, as in promptfoo. */
function completeRows(rows: readonly Row[], names: ReadonlySet<string>): void {
  const all = new Set([...names, ...rows.flatMap((row) => Object.keys(row))])
  for (const row of rows) for (const name of all) row[name] ??= ""
}

function judgeOf(test: ImportedTest, { notes, judge }: RowsToCreate): (assertion: SourceValue) => JudgeModel | string {
  return (assertion) => {
    const own = assertion.at("provider")
    const named = own.value === undefined ? test.judge : own
    if (named !== undefined) {
      // A judge of texts can be beside a model of embeddings.
      const text = named.at("text")
      const read = readProvider(text.value === undefined ? named : text, notes)
      return typeof read === "string" ? `of its judge: ${read}` : read
    }
    if (judge === undefined) return "no model judges it; give --judge URL#name"
    return { endpoint: { url: judge.url, model_id: judge.name }, params: {} }
  }
}

/** Returns a reader of values that are files, or YAML. */
function readValue(files: SourceFiles): (written: string, location: string) => Promise<unknown> {
  return async (written, location) => {
    if (!written.startsWith("file://")) return parseYaml(written, location).value
    const [path = ""] = files.list(written, location)
    if (["json", "yaml", "yml"].includes(endingOf(path))) return plainValue(await files.readDocument(path))
    return (await files.readText(path)).trim()
  }
}
