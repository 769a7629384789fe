import { isExactNumber } from "@assay/schemas/numbers"
import type { SchemaError } from "../compile/compiled-schema.ts"
import type { JsonSchema } from "../json-schema.ts"
import type { Resource } from "./resources.ts"

/** What the keywords for one value have looked at, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  readonly properties: Set<string>
  allProperties: boolean
  /** Items before this one. */
  itemsBefore: number
  readonly items: Set<number>
}

/** The resources that were entered on the way to a schema, the innermost first. */
export interface Scope {
  readonly resource: Resource
  readonly outer: Scope | undefined
}

/** One evaluation of a value. */
export interface Run {
  /** JSON pointer of the value; empty while errors are not collected. */
  readonly path: string
  readonly scope: Scope | undefined
  /** Where errors go; null if only the answer is wanted. */
  readonly errors: SchemaError[] | null
}

/** Whether a value satisfies a keyword. Adds what it has looked at to `seen`. */
export type Check = (value: unknown, run: Run, seen: Seen) => boolean

/** A compiled schema. */
export interface Node {
  readonly resource: Resource
  readonly checks: readonly Check[]
}

/** Makes the node of a schema within the one that is compiled. */
export type CompilePart = (part: unknown) => Node

/** Makes the checks of some keywords of a schema. */
export type MakeChecks = (schema: JsonSchema, compile: CompilePart) => readonly (Check | undefined)[]

/** Errors that are collected of one value: a hostile schema could have any number. */
const MAX_ERRORS = 1000

/** Evaluates a value of its own. */
export function evaluate(node: Node, value: unknown, run: Run): boolean {
  return evaluateInto(node, value, run, undefined)
}

/** Evaluates the same value as the schema around does: what was looked at counts there too, if the value is valid. */
export function evaluateInto(node: Node, value: unknown, run: Run, outer: Seen | undefined): boolean {
  const { resource, checks } = node
  const inner = run.scope?.resource === resource ? run : { ...run, scope: { resource, outer: run.scope } }
  const seen = newSeen()
  let isValid = true
  for (const check of checks) {
    if (check(value, inner, seen)) continue
    isValid = false
    if (run.errors === null || run.errors.length >= MAX_ERRORS) break
  }
  if (isValid && outer !== undefined) addSeen(outer, seen)
  return isValid
}

/** Evaluates the same value, and keeps errors apart until it is known whether they count. */
export function attempt(node: Node, value: unknown, run: Run, outer: Seen | undefined): Attempt {
  if (run.errors === null) return { isValid: evaluateInto(node, value, run, outer), errors: [] }
  const errors: SchemaError[] = []
  return { isValid: evaluateInto(node, value, { ...run, errors }, outer), errors }
}

export interface Attempt {
  readonly isValid: boolean
  readonly errors: readonly SchemaError[]
}

/** Adds the errors of attempts, as far as there is room. */
export function addErrors({ errors }: Run, attempts: readonly Attempt[]): void {
  if (errors === null) return
  for (const one of attempts) errors.push(...one.errors.slice(0, Math.max(0, MAX_ERRORS - errors.length)))
}

/** The run for a property or item of the value. */
export function below(run: Run, key: string | number): Run {
  if (run.errors === null) return run
  return { ...run, path: `${run.path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}` }
}

/** Notes what is wrong with `value`. */
export function fail(run: Run, error: Omit<SchemaError, "instancePath">): false {
  if (run.errors !== null && run.errors.length < MAX_ERRORS) run.errors.push({ instancePath: run.path, ...error })
  return false
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) && !isExactNumber(value)
}

function newSeen(): Seen {
  return { properties: new Set(), allProperties: false, itemsBefore: 0, items: new Set() }
}

function addSeen(outer: Seen, inner: Seen): void {
  outer.allProperties ||= inner.allProperties
  outer.itemsBefore = Math.max(outer.itemsBefore, inner.itemsBefore)
  for (const name of inner.properties) outer.properties.add(name)
  for (const index of inner.items) outer.items.add(index)
}
