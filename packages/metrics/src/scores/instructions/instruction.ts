import { isJsonObject, nearestNumber } from "@assay/json"
import { AssayError } from "@assay/schemas"

/** Returns whether an answer follows an instruction. The answer is not blank. */
export type FollowsInstruction = (answer: string) => boolean

/** Reads the arguments of an instruction. @throws `rows_invalid` that names the argument */
export type CreateInstruction = (given: InstructionReader) => FollowsInstruction

/** Reads arguments by name. Null, 0 and empty texts are missing, as in the data set, whose rows have all names. */
export interface InstructionReader {
  /** @throws `rows_invalid` unless it is a text */
  readonly text: (name: string) => string
  /** @throws `rows_invalid` unless it is a list of texts */
  readonly texts: (name: string) => readonly string[]
  /** @throws `rows_invalid` unless it is a whole number from 1 */
  readonly count: (name: string) => number
  /** Reads `less than` or `at least`. Returns whether a number of things is in that relation to `limit`. @throws `rows_invalid` for other words */
  readonly relation: (name: string, limit: number) => (found: number) => boolean
}

/** Creates the reader of the arguments of the instruction `id`. */
export function readInstruction(id: string, given: unknown): InstructionReader {
  const values = isJsonObject(given) ? given : {}
  const fail = (name: string, rule: string): never => {
    const shown = JSON.stringify(nearestNumber(values[name]))?.slice(0, 80) ?? "missing"
    throw new AssayError("rows_invalid", `'${name}' of the instruction '${id}' is ${shown}; give ${rule}.`)
  }
  const text = (name: string): string => {
    const value = values[name]
    return typeof value === "string" && value !== "" ? value : fail(name, "a text")
  }
  return {
    text,
    texts(name) {
      const value = values[name]
      const isList = Array.isArray(value) && value.length > 0 && value.length <= MAX_TEXTS
      const list: readonly unknown[] = isList ? value : fail(name, `a list of 1 to ${MAX_TEXTS} texts`)
      return list.map((one) => (typeof one === "string" && one !== "" ? one : fail(name, "a list of texts")))
    },
    count(name) {
      const value = nearestNumber(values[name])
      return typeof value === "number" && Number.isSafeInteger(value) && value > 0
        ? value
        : fail(name, "a whole number from 1")
    },
    relation(name, limit) {
      const word = text(name)
      if (word === "less than") return (found) => found < limit
      if (word === "at least") return (found) => found >= limit
      return fail(name, "'less than' or 'at least'")
    },
  }
}

const MAX_TEXTS = 100
