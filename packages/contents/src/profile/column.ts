import type { ProfileColumn } from "@assay/schemas"
import { isExactNumber, nearestNumber } from "@assay/schemas/numbers"
import { countCharacters, JSON_TYPES, jsonTypeOf, type JsonType } from "../schemas/json-schema.ts"
import { createValueCounts, type Scalar } from "./value-counts.ts"

/** Statistics of one column. */
export interface Column {
  /** Number of values, including null. */
  readonly present: () => number
  /** Number of values that are objects. */
  readonly objects: () => number
  readonly add: (value: unknown) => void
  /** Describes the column. `objects` is the number of parent objects, each of which could have had a value here. */
  readonly describe: (pointer: string, objects: number) => ProfileColumn
}

export function createColumn(): Column {
  const types = new Map<JsonType, number>()
  const values = createValueCounts()
  const numbers = { min: Infinity, max: -Infinity }
  const lengths = { min: Infinity, max: 0, sum: 0, count: 0 }
  let present = 0

  function addLength(length: number): void {
    lengths.min = Math.min(lengths.min, length)
    lengths.max = Math.max(lengths.max, length)
    lengths.sum += length
    lengths.count++
  }

  return {
    present: () => present,
    objects: () => types.get("object") ?? 0,
    add(value) {
      present++
      const type = jsonTypeOf(value)
      types.set(type, (types.get(type) ?? 0) + 1)
      const nearest = nearestNumber(value)
      if (typeof nearest === "number") {
        numbers.min = Math.min(numbers.min, nearest)
        numbers.max = Math.max(numbers.max, nearest)
      }
      if (typeof value === "string") addLength(countCharacters(value))
      if (Array.isArray(value)) addLength(value.length)
      if (isExactNumber(value) || typeof value !== "object" || value === null) values.add(value as Scalar)
    },
    describe: (pointer, objects) => ({
      pointer,
      types: Object.fromEntries(JSON_TYPES.flatMap((type) => (types.has(type) ? [[type, types.get(type) ?? 0]] : []))),
      missing: objects - present,
      distinct: values.distinct(),
      estimated: values.isEstimated(),
      top: [...values.top()],
      min: numbers.min > numbers.max ? null : numbers.min,
      max: numbers.min > numbers.max ? null : numbers.max,
      lengths:
        lengths.count === 0
          ? null
          : { min: lengths.min, max: lengths.max, mean: Math.round((100 * lengths.sum) / lengths.count) / 100 },
    }),
  }
}
