import type { ProfileColumn } from "@assay/schemas"
import { isExactNumber, nearestNumber } from "@assay/json"
import { countCharacters, escapePointerToken, JSON_TYPES, jsonTypeOf, type JsonType } from "../schemas/json-schema.ts"
import { createNumberHistogram } from "./number-histogram.ts"
import { createValueCounts, type Scalar } from "./value-counts.ts"

/** Maximum number of columns. Keys that are data would otherwise make one column each. */
const MAX_COLUMNS = 1000
const MAX_DEPTH = 20
/** Columns with more different values get a histogram of their numbers. For others, `top` has every value. */
const MAX_TOP = 20

interface Node {
  readonly pointer: string
  readonly column: Column
  readonly children: Map<string, Node>
  items: Node | undefined
  /** The node of the object that has this property. Undefined for the row itself and for elements. */
  readonly parent: Node | undefined
}

/** Number of values that are counted in about 10 ms if most of them are new. */
const VALUES_OF_TURN = 4000
/** Number of columns that are described in about 10 ms. */
const COLUMNS_OF_TURN = 20

export interface ColumnTree {
  /** Adds a row while its result is iterated. It pauses now and then, also within a row, so that the caller can let other work run. */
  readonly add: (row: unknown) => Iterable<void>
  /** Returns the descriptions of the columns in parts, for the same reason. */
  readonly describe: () => Generator<readonly ProfileColumn[], void, undefined>
  readonly isTruncated: () => boolean
}

/** The locations of rows that are columns, in the order in which they were found. */
interface ColumnNodes {
  readonly root: Node
  readonly columns: readonly Node[]
  /** Returns the column of a property, or of the elements of an array. Undefined: there are too many columns. */
  readonly propertyOf: (parent: Node, name: string) => Node | undefined
  readonly itemsOf: (location: Node) => Node | undefined
  readonly isTruncated: () => boolean
}

function createColumnNodes(): ColumnNodes {
  const columns: Node[] = []
  let isTruncated = false

  /** Registers a new column. Above the limit it only costs a lookup: rows can have a hundred thousand names. */
  function register(make: () => Node): Node | undefined {
    if (columns.length >= MAX_COLUMNS) {
      isTruncated = true
      return undefined
    }
    const made = make()
    columns.push(made)
    return made
  }

  return {
    root: node("", undefined),
    columns,
    propertyOf(parent, name) {
      const known = parent.children.get(name)
      if (known !== undefined) return known
      const made = register(() => node(`${parent.pointer}/${escapePointerToken(name)}`, parent))
      if (made !== undefined) parent.children.set(name, made)
      return made
    },
    itemsOf: (location) => (location.items ??= register(() => node(`${location.pointer}/*`, undefined))),
    isTruncated: () => isTruncated,
  }
}

/** Creates a tree that describes rows location by location. All elements of an array are one location. */
export function createColumnTree(): ColumnTree {
  const { root, columns, propertyOf, itemsOf, isTruncated } = createColumnNodes()
  let added = 0

  /** Adds a value with few parts. */
  function add(location: Node, value: unknown, depth: number): void {
    added += 1
    location.column.add(value)
    if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return
    if (Array.isArray(value)) {
      const items = value.length > 0 ? itemsOf(location) : undefined
      if (items !== undefined) for (const item of value) add(items, item, depth + 1)
    } else if (!isExactNumber(value)) {
      for (const name in value) {
        const property = propertyOf(location, name)
        if (property !== undefined) add(property, (value as Readonly<Record<string, unknown>>)[name], depth + 1)
      }
    }
  }

  /** Adds a value, and pauses between its parts if it has many. A value with few parts needs no generator of its own. */
  function addInTurns(location: Node, value: unknown, depth: number): Iterable<void> {
    if (roomAfter(value, VALUES_OF_TURN, depth) <= 0) return addParts(location, value as object, depth)
    add(location, value, depth)
    if (added < VALUES_OF_TURN) return NO_PAUSE
    added = 0
    return PAUSE
  }

  function* addParts(location: Node, value: object, depth: number): Generator<void, void, undefined> {
    location.column.add(value)
    if (Array.isArray(value)) {
      const items = itemsOf(location)
      if (items !== undefined) for (const item of value) yield* addInTurns(items, item, depth + 1)
      return
    }
    for (const [name, part] of Object.entries(value)) {
      const property = propertyOf(location, name)
      if (property !== undefined) yield* addInTurns(property, part, depth + 1)
    }
  }

  function* describe(): Generator<readonly ProfileColumn[], void, undefined> {
    // Rows are usually objects. Only other rows need a column of their own.
    const own = root.column.present() === root.column.objects() ? [] : [root]
    const all = [...own, ...columns]
    for (let at = 0; at < all.length; at += COLUMNS_OF_TURN) {
      yield all
        .slice(at, at + COLUMNS_OF_TURN)
        .map(({ pointer, column, parent }) => column.describe(pointer, parent?.column.objects() ?? column.present()))
    }
  }

  return { add: (row) => addInTurns(root, row, 0), describe, isTruncated }
}

/** Returns how many of `room` values are left after all parts of a value, down to the deepest level that has columns; at most 0 if there are none. */
function roomAfter(value: unknown, room: number, depth: number): number {
  let left = room - 1
  if (typeof value !== "object" || value === null || depth === MAX_DEPTH) return left
  if (Array.isArray(value)) {
    left -= value.length
    for (const part of value) {
      if (left <= 0) return left
      if (typeof part === "object") left = roomAfter(part, left + 1, depth + 1)
    }
    return left
  }
  for (const name in value) {
    if (left <= 0) return left
    left = roomAfter((value as Readonly<Record<string, unknown>>)[name], left, depth + 1)
  }
  return left
}

const PAUSE: readonly void[] = [undefined]
const NO_PAUSE: readonly void[] = []

function node(pointer: string, parent: Node | undefined): Node {
  return { pointer, column: createColumn(), children: new Map(), items: undefined, parent }
}

/** Statistics of one column. */
interface Column {
  /** Number of values, including null. */
  readonly present: () => number
  /** Number of values that are objects. */
  readonly objects: () => number
  readonly add: (value: unknown) => void
  /** Describes the column. `objects` is the number of parent objects, each of which could have had a value here. */
  readonly describe: (pointer: string, objects: number) => ProfileColumn
}

function createColumn(): Column {
  const types = new Map<JsonType, number>()
  const values = createValueCounts()
  const numbers = { min: Infinity, max: -Infinity }
  const histogram = createNumberHistogram()
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
        histogram.add(nearest)
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
      ...(values.distinct() > MAX_TOP && numbers.max > numbers.min
        ? { histogram: { bins: [...histogram.bins()] } }
        : {}),
    }),
  }
}
