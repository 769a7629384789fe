import { canonicalDecimal, type ExactNumber } from "@assay/schemas"
import { engineValue, type EngineValue } from "./template-engine.ts"

/**
 * The numbers of one run by their value. The engine compares objects by identity, so equal numbers have to be one object.
 * `tojson` writes equal numbers of different notation, such as 1.0 and 1.00, as the first of them.
 */
export type RunNumbers = Map<string, NumberInEngine>

const EXACT = Symbol("exact")

/** A number that the engine calculates with as usual, and that is written as it was read. */
interface NumberInEngine {
  readonly [EXACT]: ExactNumber
}

/** Converts a number whose text is kept to a value of the engine. Arithmetic uses the nearest JavaScript number. */
export function exactEngineValue(exact: ExactNumber, numbers: RunNumbers): EngineValue {
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
