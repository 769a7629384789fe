import { isJsonEqual } from "../json/is-json-equal.ts"
import type { JsonPath } from "../json/json-path.ts"
import { claimedValues } from "./claimed-values.ts"
import { type LenientJson, readLenientJson } from "./lenient-json.ts"
import { visibleText } from "./visible-text.ts"
import { removeLeadingReasoning } from "./remove-leading-reasoning.ts"

/** The answer of a judge. */
export interface JudgeAnswer {
  readonly text: string
  /** Whether the token limit ended it. */
  readonly isCut?: boolean
}

/** A value that all statements of an answer agree on, or the reason why there is none. */
export type AgreedReading<Value> =
  | { readonly value: Value; readonly reason: null }
  | { readonly value: null; readonly reason: "no_verdict" | "contradictory" | "truncated" }

/**
 * Reads the value at a path in every JSON object of an answer, also in lists, fences and prose, and for every repetition of a key. All
 * values must be readable and equal. A key outside of valid JSON, as in `Quality: 1`, or in another case, counts too if its value is
 * another one: it may be the judge's own statement beside a quoted object. Reasoning is left out. Takes time linear in the text.
 *
 * If the token limit ended the answer, only an object at its beginning counts. An object after other words may be a quotation whose
 * conclusion is missing.
 */
export function readAgreed<Value>(
  { text, isCut = false }: JudgeAnswer,
  path: JsonPath,
  read: (value: unknown) => Value | undefined,
): AgreedReading<Value> {
  const answer = removeLeadingReasoning(visibleText(text))
  if (answer === undefined) return { value: null, reason: "no_verdict" }
  if (path.length === 0) return agreedOf([read(wholeValue(answer))])
  const { regions, rest } = jsonRegions(answer)
  const stated = regions.flatMap(({ value, start }) => valuesIn(value, path).map((one) => ({ value: one, start })))
  const reading = agreedOf(stated.map(({ value }) => read(plain(value))))
  if (isCut && (stated[0] === undefined || /[\p{L}\p{N}]/u.test(unfenced(answer.slice(0, stated[0].start)))))
    return { value: null, reason: "truncated" }
  if (reading.reason !== null) return reading
  const key = path.findLast((step) => typeof step === "string") ?? ""
  const claims = [
    ...regions.flatMap(({ value }) => valuesIn(value, path, alikeIn).map((one) => [plain(one)])),
    ...rest.flatMap((piece) => claimedValues(piece, key, (value) => read(value) !== undefined)),
  ]
  const isOpposed = claims.some((claim) => {
    const values = claim.map(read).filter((value) => value !== undefined)
    return values.length > 0 && !values.some((value) => isJsonEqual(value, reading.value))
  })
  return isOpposed ? { value: null, reason: "contradictory" } : reading
}

/** Returns the value that all readings agree on. A reading without a value agrees with no other. */
export function agreedOf<Value>(readings: readonly (Value | undefined)[]): AgreedReading<Value> {
  const [first, ...others] = readings
  if (readings.every((value) => value === undefined)) return { value: null, reason: "no_verdict" }
  const isSame = first !== undefined && others.every((value) => value !== undefined && isJsonEqual(value, first))
  return isSame ? { value: first, reason: null } : { value: null, reason: "contradictory" }
}

/** Returns the value of an answer that is nothing but JSON, also in a fence. */
function wholeValue(answer: string): unknown {
  const text = unfenced(answer).trim()
  const { value, end } = readLenientJson(text, 0)
  return value === undefined || end < text.length ? undefined : plain(value)
}

function unfenced(text: string): string {
  return text.replaceAll(/```[\w-]{0,20}/g, "")
}

interface JsonRegion {
  readonly value: LenientJson
  readonly start: number
}

/** How many characters may be read for each character of an answer. Damaged objects inside each other are read again and again. */
const READINGS = 8

/** Returns the objects and lists of a text that can be read, and the pieces of text around them. */
function jsonRegions(text: string): { readonly regions: readonly JsonRegion[]; readonly rest: readonly string[] } {
  const regions: JsonRegion[] = []
  const rest: string[] = []
  const bracket = /[{[]/g
  let from = 0
  let left = READINGS * text.length + 4096
  for (let found = bracket.exec(text); found !== null && left > 0; found = bracket.exec(text)) {
    const { value, end } = readLenientJson(text, found.index)
    left -= end - found.index + 1
    if (value === undefined) continue
    regions.push({ value, start: found.index })
    rest.push(text.slice(from, found.index))
    from = end
    bracket.lastIndex = end
  }
  return { regions, rest: [...rest, text.slice(from)] }
}

/** Returns the values of an object under a key. */
type ValuesOf = (fields: Fields, key: string) => readonly LenientJson[]
type Fields = ReadonlyMap<string, readonly LenientJson[]>

const exactlyIn: ValuesOf = (fields, key) => fields.get(key) ?? []

/** Finds a key in any case, and with spaces or hyphens for its underscores. */
const alikeIn: ValuesOf = (fields, key) =>
  [...fields].flatMap(([name, values]) => (bare(name) === bare(key) ? values : []))

const bare = (key: string) => key.toLowerCase().replaceAll(/[\s_-]/g, "")

/** Returns every value at a path. The items of a list are read on their own, unless the path begins with an index. */
function valuesIn(value: LenientJson, path: JsonPath, valuesOf: ValuesOf = exactlyIn): readonly LenientJson[] {
  if (isList(value) && typeof path[0] === "string") return value.flatMap((item) => valuesIn(item, path, valuesOf))
  return path.reduce<readonly LenientJson[]>(
    (values, step) => values.flatMap((one) => stepInto(one, step, valuesOf)),
    [value],
  )
}

function stepInto(value: LenientJson, step: string | number, valuesOf: ValuesOf): readonly LenientJson[] {
  if (isList(value)) {
    const item = typeof step === "number" ? value.at(step) : undefined
    return item === undefined ? [] : [item]
  }
  return value instanceof Map ? valuesOf(value as Fields, String(step)) : []
}

function isList(value: LenientJson): value is readonly LenientJson[] {
  return Array.isArray(value)
}

/** Returns a value as plain JSON. A key with different values is left out. */
function plain(value: LenientJson): unknown {
  if (isList(value)) return value.map(plain)
  if (!(value instanceof Map)) return value
  const fields = [...(value as ReadonlyMap<string, readonly LenientJson[]>)].flatMap(([key, values]) => {
    const [first, ...others] = values.map(plain)
    return others.every((other) => isJsonEqual(other, first)) ? [[key, first] as const] : []
  })
  return Object.fromEntries(fields)
}
