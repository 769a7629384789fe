import type { SchemaError } from "../compile/compiled-schema.ts"
import { escapePointerToken, type JsonSchema } from "../json-schema.ts"
import type { Resource } from "./resources.ts"

/** The parts of a value that keywords have evaluated, for `unevaluatedProperties` and `unevaluatedItems`. */
export interface Seen {
  readonly properties: Set<string>
  allProperties: boolean
  /** All items before this index were evaluated. */
  itemsBefore: number
  readonly items: Set<number>
}

/** The resources that were entered on the way to a schema, innermost first. */
export interface Scope {
  readonly resource: Resource
  readonly outer: Scope | undefined
}

/** One evaluation of a value. */
export interface Run {
  /** JSON pointer of the value. Empty if errors are not collected. */
  readonly path: string
  readonly scope: Scope | undefined
  /** The list of errors, or null if only the result matters. */
  readonly errors: SchemaError[] | null
}

/** Returns whether a value satisfies a keyword. Adds the evaluated parts to `seen`. */
export type Check = (value: unknown, run: Run, seen: Seen) => boolean

/** A compiled schema. */
export interface Node {
  readonly resource: Resource
  readonly checks: readonly Check[]
}

/** Compiles a schema inside the current one. */
export type CompilePart = (part: unknown) => Node

/** Creates the checks of some keywords of a schema. */
export type MakeChecks = (schema: JsonSchema, compile: CompilePart) => readonly (Check | undefined)[]

/** Maximum number of errors collected for one value. A hostile schema could produce any number. */
const MAX_ERRORS = 1000

/** Evaluates a value on its own. */
export function evaluate(node: Node, value: unknown, run: Run): boolean {
  return evaluateInto(node, value, run, undefined)
}

/** Evaluates the same value as the enclosing schema. If the value is valid, the evaluated parts count there too. */
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

/** Evaluates the same value, and keeps its errors apart until it is known whether they count. */
export function attempt(node: Node, value: unknown, run: Run, outer: Seen | undefined): Attempt {
  if (run.errors === null) return { isValid: evaluateInto(node, value, run, outer), errors: [] }
  const errors: SchemaError[] = []
  return { isValid: evaluateInto(node, value, { ...run, errors }, outer), errors }
}

export interface Attempt {
  readonly isValid: boolean
  readonly errors: readonly SchemaError[]
}

/** Adds the errors of attempts, up to `MAX_ERRORS`. */
export function addErrors({ errors }: Run, attempts: readonly Attempt[]): void {
  if (errors === null) return
  for (const one of attempts) errors.push(...one.errors.slice(0, Math.max(0, MAX_ERRORS - errors.length)))
}

/** Returns the run for a property or item of the value. */
export function below(run: Run, key: string | number): Run {
  if (run.errors === null) return run
  return { ...run, path: `${run.path}/${escapePointerToken(String(key))}` }
}

/** Records an error of `value` and returns false. */
export function fail(run: Run, error: Omit<SchemaError, "instancePath">): false {
  if (run.errors !== null && run.errors.length < MAX_ERRORS) run.errors.push({ instancePath: run.path, ...error })
  return false
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
