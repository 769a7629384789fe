import { fieldsOf, listOf } from "@assay/json"
import { createStringCheck } from "@assay/metrics"
import { messageOf } from "@assay/schemas/errors"
import type { ImportNotes } from "../output/import-notes.ts"
import { type CheckConfig, type JudgeModel, mapAssertion } from "./map-assertion.ts"
import { splitList } from "./csv-test.ts"
import { isTemplate, renderText } from "./nunjucks.ts"
import { plainValue, type SourceValue, textOf } from "./source-value.ts"

/** A row whose assertions are collected. */
export interface AssertedRow {
  readonly index: number
  readonly vars: Readonly<Record<string, unknown>>
  /** Returns the model that judges an assertion, or why there is none. */
  readonly judgeOf: (assertion: SourceValue) => JudgeModel | string
  /** Reads the value of an assertion that names a file. @throws `bad_document`, `not_found` */
  readonly readValue: (written: string, location: string) => Promise<unknown>
}

/** Collects the assertions of all rows as the checks of one metric. */
export interface CheckCollector {
  /** Adds the assertions of a row. Returns how many were mapped. */
  add(asserts: readonly SourceValue[], row: AssertedRow): Promise<number>
  /** Returns the checks. `setColumn` adds a value to a row, and returns the name of its column. */
  build(rows: number, setColumn: SetColumn): Readonly<Record<string, CheckConfig>>
}

export type SetColumn = (name: string, values: ReadonlyMap<number, unknown>) => string

/** The same assertion in several rows. */
interface Group {
  readonly name: string
  readonly check: (operand: unknown) => CheckConfig
  readonly options: Readonly<Record<string, unknown>>
  readonly hasOperand: boolean
  /** By row. */
  readonly operands: Map<number, unknown>
  /** The assertions of a set. */
  readonly inner?: CheckCollector
}

interface Counted {
  readonly groups: Map<string, Group>
  readonly names: Set<string>
  readonly notes: ImportNotes
}

/** Assertions of one row that are read. */
const MAX_ASSERTIONS = 200

export function createCheckCollector(notes: ImportNotes, depth = 0): CheckCollector {
  const state: Counted = { groups: new Map(), names: new Set(["passed", "score"]), notes }
  return {
    async add(asserts, row) {
      const seen = new Map<string, number>()
      let mapped = 0
      for (const assertion of asserts.slice(0, MAX_ASSERTIONS)) {
        const isSet = fieldsOf(assertion.value)["type"] === "assert-set"
        const added =
          isSet && depth === 0 ? addSet(assertion, { state, row, seen }) : addAssertion(assertion, { state, row, seen })
        mapped += await added
      }
      return mapped
    },
    build(rows, setColumn) {
      const checks = [...state.groups.values()].map((group) => [group.name, checkOf(group, rows, setColumn)] as const)
      return Object.fromEntries(checks)
    },
  }
}

interface Adding {
  readonly state: Counted
  readonly row: AssertedRow
  /** How often each kind of assertion was in this row so far. */
  readonly seen: Map<string, number>
}

async function addSet(assertion: SourceValue, { state, row, seen }: Adding): Promise<number> {
  const { threshold, weight, metric } = fieldsOf(assertion.value)
  const key = keyOf(["assert-set", threshold, weight, metric], seen)
  const known = state.groups.get(key)
  const inner = known?.inner ?? createCheckCollector(state.notes, 1)
  const asserts = listOf(assertion.at("assert").value).map((_, index) => assertion.at("assert").at(index))
  const mapped = await inner.add(asserts, row)
  if (mapped === 0 || known !== undefined) return mapped
  const options = { ...(typeof weight === "number" ? { weight } : {}), counts: "score" }
  const limit = typeof threshold === "number" ? { threshold } : {}
  state.groups.set(key, {
    name: nameOf(typeof metric === "string" ? metric : "assert-set", state.names),
    check: (checks) => ({ type: "checklist", params: { ...limit, checks } }),
    options,
    hasOperand: false,
    operands: new Map(),
    inner,
  })
  return mapped
}

async function addAssertion(assertion: SourceValue, { state, row, seen }: Adding): Promise<number> {
  const { type: written, threshold, weight, metric, transform, contextTransform } = fieldsOf(assertion.value)
  const { location } = assertion
  const leftOut = (detail: string, part = typeof written === "string" ? written.slice(0, 60) : "assertion"): number => {
    state.notes.add({ location, part, outcome: "left out", detail })
    return 0
  }
  if (typeof written !== "string") return leftOut("it has no type")
  if (transform !== undefined || contextTransform !== undefined) {
    return leftOut("'transform' runs code on the answer, which is not imported")
  }
  const type = written.replace(/^not-/, "")
  const value = await valueOf(type, assertion.at("value"), row)
  if ("fault" in value) return leftOut(value.fault)
  const limit = typeof threshold === "number" ? threshold : undefined
  const mapped = mapAssertion({ type, value: value.rendered, threshold: limit, judge: row.judgeOf(assertion) })
  if ("leftOut" in mapped) return leftOut(mapped.leftOut)
  const fault = type === "regex" ? patternFault(mapped.operand) : undefined
  if (fault !== undefined) return leftOut(fault)
  const { operand, check, difference } = mapped
  state.notes.add({
    location,
    part: written,
    outcome: difference === undefined ? "mapped" : "changed",
    detail: `${check("").type}${difference === undefined ? "" : `: ${difference}`}`,
  })
  const label = renderedLabel(metric, row.vars)
  const key = keyOf([written, limit, weight, label, check("")], seen)
  const known = state.groups.get(key)
  const group: Group = known ?? {
    name: nameOf(label ?? written, state.names),
    check,
    options: {
      ...(written === type ? {} : { not: true }),
      ...(typeof weight === "number" ? { weight } : {}),
    },
    hasOperand: operand !== undefined,
    operands: new Map(),
  }
  group.operands.set(row.index, operand ?? true)
  state.groups.set(key, group)
  return 1
}

/** Returns a key that distinguishes assertions of one row that are otherwise the same. */
function keyOf(parts: readonly unknown[], seen: Map<string, number>): string {
  const kind = JSON.stringify(parts)
  const before = seen.get(kind) ?? 0
  seen.set(kind, before + 1)
  return `${before} ${kind}`
}

/** Returns a name that no other check of the list has. */
function nameOf(wanted: string, names: Set<string>): string {
  const base = wanted.replaceAll(/[^\p{L}\p{N}_-]+/gu, "-").slice(0, 60) || "check"
  let name = base
  for (let number = 2; names.has(name); number += 1) name = `${base}-${number}`
  names.add(name)
  return name
}

function renderedLabel(metric: unknown, vars: AssertedRow["vars"]): string | undefined {
  if (typeof metric !== "string" || metric === "") return undefined
  try {
    return renderText(metric, vars)
  } catch {
    return metric
  }
}

const OF_LISTS = /^i?contains-(?:any|all)$/
const OF_SCHEMAS = /^(?:is|contains)-json$/

/** Reads the value of an assertion for a row, with its templates rendered; or says why it can't be read. */
async function valueOf(
  type: string,
  source: SourceValue,
  { vars, readValue }: AssertedRow,
): Promise<{ readonly rendered: unknown } | { readonly fault: string }> {
  const written = textOf(source)
  if (written?.startsWith("file://") === true) {
    if (/\.(?:[cm]?[jt]s|py|rb)(?::\w+)?$/.test(written)) return { fault: "its value is a program, which is not run" }
    return { rendered: await readValue(written, source.location) }
  }
  try {
    const value = written === undefined ? plainValue(source) : renderText(written, vars)
    const rendered = Array.isArray(value)
      ? value.map((one) => (typeof one === "string" ? renderText(one, vars) : one))
      : value
    if (OF_LISTS.test(type) && typeof rendered === "string") return { rendered: splitList(rendered) }
    if (OF_SCHEMAS.test(type) && typeof rendered === "string" && rendered.trim() !== "") {
      return { rendered: await readValue(rendered, source.location) }
    }
    return { rendered }
  } catch (error) {
    return { fault: `its template can't be rendered: ${messageOf(error)}` }
  }
}

/** Says why a pattern can't be searched for; undefined if it can. */
function patternFault(pattern: unknown): string | undefined {
  try {
    createStringCheck("matches")("", String(pattern))
    return undefined
  } catch (error) {
    return messageOf(error)
  }
}

function checkOf(
  { name, check, options, hasOperand, operands, inner }: Group,
  rows: number,
  setColumn: SetColumn,
): CheckConfig {
  if (inner !== undefined) return { ...check(inner.build(rows, setColumn)), ...options }
  const isEverywhere = operands.size === rows
  const texts = new Set([...operands.values()].map((value) => JSON.stringify(value)))
  const [first] = operands.values()
  // Jinja removes a line feed at the end of a template.
  const written = JSON.stringify(first)
  const isPlain = !isTemplate(written) && !written.includes('\\n"')
  const isLiteral = !hasOperand || (isEverywhere && texts.size === 1 && isPlain)
  if (isEverywhere && isLiteral) return { ...check(first), ...options }
  const values = new Map([...operands].map(([row, operand]) => [row, hasOperand ? operand : true]))
  const column = `{{ item.${setColumn(name, values)} }}`
  const checked = { ...check(hasOperand ? column : undefined), ...options }
  if (isEverywhere) return checked
  const isAnyEmpty = [...values.values()].some((value) => value === "" || (Array.isArray(value) && value.length === 0))
  if (!isAnyEmpty) return { ...checked, when: column }
  const applies = new Map([...values.keys()].map((row) => [row, true]))
  return { ...checked, when: `{{ item.${setColumn(`${name}_applies`, applies)} }}` }
}
