import { canonicalDecimal, type ExactNumber } from "@assay/schemas"
import { engineValue, type EngineValue } from "./template-engine.ts"

/**
 * The numbers of one run by their value, so that equal ones are equal to the engine, which compares objects by identity. `tojson`
 * writes equal numbers of different notations, such as 1.0 and 1.00, as the first of them.
 */
export type RunNumbers = Map<string, NumberInEngine>

const EXACT = Symbol("exact")

/** A number that the engine counts with as it does with its own, and writes as it was read. */
interface NumberInEngine {
  readonly [EXACT]: ExactNumber
}

/** Makes a value of the engine out of a number whose text is kept. Arithmetic is that of the nearest number of JavaScript. */
export function exactEngineValue(exact: ExactNumber, numbers: RunNumbers): EngineValue {
  const text = exact.rawJSON
  const number = Number(text)
  const name = canonicalDecimal(text)
  const known = numbers.get(name) ?? numberInEngine(exact, number)
  numbers.set(name, known)
  // An integer is one in Jinja only if it is written as one.
  const made = engineValue(/[.eE]/.test(text) && Number.isInteger(number) ? 0.5 : number)
  return Object.assign(made, { value: known, toString: () => text, __bool__: () => engineValue(number !== 0) })
}

/** Returns the number that the value of an engine holds as it was read; undefined for any other value. */
export function exactOf(value: unknown): ExactNumber | undefined {
  return typeof value === "object" && value !== null && EXACT in value ? (value[EXACT] as ExactNumber) : undefined
}

function numberInEngine(exact: ExactNumber, number: number): NumberInEngine {
  // The engine asks its values for `valueOf` by operators, for `toString` by `~`, and for `toJSON` by `tojson`.
  return Object.assign(new Number(number), { [EXACT]: exact, toString: () => exact.rawJSON, toJSON: () => exact })
}
