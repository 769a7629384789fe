import { type ExactNumber, canonicalDecimal, isExactNumber } from "@assay/json"
import { describeData } from "../faults/describe-data.ts"
import { TemplateFailure } from "../faults/template-fault.ts"
import { type EngineValue, engineValue } from "./template-engine.ts"

/** The original of each object that was converted only in part. */
export type PartialOriginals = WeakMap<EngineValue, object>

/** The values of one run that are converted already. */
export interface Conversion {
  readonly originals: PartialOriginals
  readonly numbers: RunNumbers
}

/**
 * Converts a value of the caller to a value of the engine, but only the properties that the template reads: rows can be large,
 * and converting costs more than rendering. It sees own properties only.
 * @throws TemplateFailure for a value that JSON can't represent
 */
export function toEngineValue(
  value: unknown,
  { path, shape }: { readonly path: string; readonly shape: ReadShape },
  conversion: Conversion,
): EngineValue {
  if (isExactNumber(value)) return exactEngineValue(value, conversion.numbers)
  if (shape === "whole" || typeof value !== "object" || value === null || Array.isArray(value)) {
    return checkData(value, path) ? withExactNumbers(value, conversion.numbers) : engineValue(value)
  }
  checkPlain(value, path)
  const part = engineValue({})
  const entries = part.value as Map<string, EngineValue>
  for (const [key, below] of shape) {
    if (!Object.hasOwn(value, key)) continue
    const property = (value as Readonly<Record<string, unknown>>)[key]
    entries.set(key, toEngineValue(property, { path: `${path}.${key}`, shape: below }, conversion))
  }
  conversion.originals.set(part, value)
  return part
}

/** Converts a whole value as the engine does, and also numbers whose text is kept. */
function withExactNumbers(value: unknown, numbers: RunNumbers): EngineValue {
  if (isExactNumber(value)) return exactEngineValue(value, numbers)
  if (typeof value !== "object" || value === null) return engineValue(value)
  if (Array.isArray(value)) {
    const list = engineValue([])
    ;(list.value as EngineValue[]).push(...value.map((part) => withExactNumbers(part, numbers)))
    return list
  }
  const made = engineValue({})
  const entries = made.value as Map<string, EngineValue>
  for (const [key, part] of Object.entries(value)) entries.set(key, withExactNumbers(part, numbers))
  return made
}

/** Returns whether the value contains a number whose text is kept. @throws TemplateFailure with the path of a value that is not data */
function checkData(value: unknown, path: string): boolean {
  switch (typeof value) {
    case "bigint":
    case "function":
    case "symbol":
      throw noData(value, path)
    case "object":
      return checkParts(value, path)
    case "string":
    case "number":
    case "boolean":
    case "undefined":
    default:
      return false
  }
}

function checkParts(value: object | null, path: string): boolean {
  if (value === null) return false
  if (isExactNumber(value)) return true
  let hasExact = false
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++)
      hasExact = checkData(value[index], `${path}[${index}]`) || hasExact
    return hasExact
  }
  checkPlain(value, path)
  for (const [key, below] of Object.entries(value)) hasExact = checkData(below, `${path}.${key}`) || hasExact
  return hasExact
}

function checkPlain(value: object, path: string): void {
  if (!isPlainObject(value)) throw noData(value, path)
}

function noData(value: unknown, path: string): TemplateFailure {
  return new TemplateFailure(
    `can't be rendered: \`${path}\` is ${describeData(value)}; give texts, numbers, booleans, null, lists and plain objects`,
  )
}

/** Converts a value of the engine to a plain value. */
export function fromEngineValue(result: EngineValue | undefined): unknown {
  if (result === undefined) return null
  switch (result.type) {
    case "UndefinedValue":
    case "NullValue":
      return null
    case "ArrayValue":
    case "TupleValue":
      return (result.value as readonly EngineValue[]).map(fromEngineValue)
    case "ObjectValue":
    case "NamespaceValue":
      return Object.fromEntries(
        [...(result.value as ReadonlyMap<string, EngineValue>)].map(([key, value]) => [key, fromEngineValue(value)]),
      )
    case "FunctionValue":
      throw new TemplateFailure("can't be rendered: it is a function; call it with `()`")
    default:
      return exactOf(result.value) ?? result.value
  }
}

/** Which part of a value is read: all of it, or only these properties. */
export type ReadShape = "whole" | ReadonlyMap<string, ReadShape>

/** Returns which part of each named value the paths read. A path reads everything below its end. */
export function readShapes(paths: readonly (readonly string[])[]): ReadonlyMap<string, ReadShape> {
  const shapes = new Map<string, ReadShape>()
  for (const [name = "", own] of Map.groupBy(paths, ([name]) => name)) {
    const below = own.map((path) => path.slice(1))
    shapes.set(name, below.some((path) => path.length === 0) ? "whole" : readShapes(below))
  }
  return shapes
}

/** Returns whether an object has no class. This includes objects of another realm, whose prototype differs from ours. */
export function isPlainObject(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/**
 * The numbers of one run by their value. The engine compares objects by identity, so equal numbers have to be one object.
 * `tojson` writes equal numbers of different notation, such as 1.0 and 1.00, as the first of them.
 */
type RunNumbers = Map<string, NumberInEngine>

const EXACT = Symbol("exact")

/** A number that the engine calculates with as usual, and that is written as it was read. */
interface NumberInEngine {
  readonly [EXACT]: ExactNumber
}

/** Converts a number whose text is kept to a value of the engine. Arithmetic uses the nearest JavaScript number. */
function exactEngineValue(exact: ExactNumber, numbers: RunNumbers): EngineValue {
  const text = exact.rawJSON
  const number = Number(text)
  const name = canonicalDecimal(text)
  const known = numbers.get(name) ?? numberInEngine(exact, number)
  numbers.set(name, known)
  // A number written with a point or an exponent is not an integer in Jinja.
  const made = engineValue(/[.eE]/.test(text) && Number.isInteger(number) ? 0.5 : number)
  return Object.assign(made, { value: known, toString: () => text, __bool__: () => engineValue(number !== 0) })
}

/** Returns the number with its text that a value of the engine contains; undefined for any other value. */
export function exactOf(value: unknown): ExactNumber | undefined {
  return typeof value === "object" && value !== null && EXACT in value ? (value[EXACT] as ExactNumber) : undefined
}

function numberInEngine(exact: ExactNumber, number: number): NumberInEngine {
  // In the engine, operators call `valueOf`, `~` calls `toString`, and `tojson` calls `toJSON`.
  return Object.assign(new Number(number), { [EXACT]: exact, toString: () => exact.rawJSON, toJSON: () => exact })
}
