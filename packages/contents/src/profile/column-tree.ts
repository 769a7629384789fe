import type { ProfileColumn } from "@assay/schemas"
import { isExactNumber } from "@assay/schemas/numbers"
import { createColumn, type Column } from "./column.ts"

/** Columns up to which rows are described; keys that are data themselves would otherwise make one of each. */
const MAX_COLUMNS = 1000
const DEEPEST = 20

interface Node {
  readonly pointer: string
  readonly column: Column
  readonly children: Map<string, Node>
  items: Node | undefined
  /** The node of the object that this is a property of; undefined for the row and for elements. */
  readonly parent: Node | undefined
}

/** Values that are counted in about ten milliseconds, most of them different from all before. */
const VALUES_OF_TURN = 4000
/** Columns that are described in as much time. */
const COLUMNS_OF_TURN = 20

export interface ColumnTree {
  /** Adds a row. Stops now and then, also within a row, so that the caller can let others have their turn. */
  readonly add: (row: unknown) => Generator<void, void, undefined>
  /** The same for what was found: some columns at a time. */
  readonly describe: () => Generator<readonly ProfileColumn[], void, undefined>
  readonly isTruncated: () => boolean
}

/** Describes rows place by place: each property, and all elements of an array as one. */
export function createColumnTree(): ColumnTree {
  const root = node("", undefined)
  const columns: Node[] = []
  let isTruncated = false
  let added = 0

  /** Names beyond the limit cost nothing but the look: rows can have a hundred thousand of them. */
  function register(make: () => Node): Node | undefined {
    if (columns.length >= MAX_COLUMNS) {
      isTruncated = true
      return undefined
    }
    const made = make()
    columns.push(made)
    return made
  }

  function propertyOf(parent: Node, name: string): Node | undefined {
    const known = parent.children.get(name)
    if (known !== undefined) return known
    const made = register(() => node(`${parent.pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`, parent))
    if (made !== undefined) parent.children.set(name, made)
    return made
  }

  function* add(place: Node, value: unknown, depth: number): Generator<void, void, undefined> {
    place.column.add(value)
    if (depth === DEEPEST) return
    if (Array.isArray(value)) {
      if (value.length > 0) place.items ??= register(() => node(`${place.pointer}/*`, undefined))
      if (place.items !== undefined) for (const item of value) yield* addPart(place.items, item, depth + 1)
    } else if (typeof value === "object" && value !== null && !isExactNumber(value)) {
      for (const [name, part] of Object.entries(value)) {
        const property = propertyOf(place, name)
        if (property !== undefined) yield* addPart(property, part, depth + 1)
      }
    }
  }

  /** Without a generator of its own for a plain value. */
  function addPart(place: Node, value: unknown, depth: number): Iterable<void> {
    added += 1
    if (typeof value === "object" && value !== null) return add(place, value, depth)
    place.column.add(value)
    return added % VALUES_OF_TURN === 0 ? PAUSE : NO_PAUSE
  }

  function* describe(): Generator<readonly ProfileColumn[], void, undefined> {
    // Rows are objects as a rule; only others need a column of their own.
    const own = root.column.present() === root.column.objects() ? [] : [root]
    const all = [...own, ...columns]
    for (let at = 0; at < all.length; at += COLUMNS_OF_TURN) {
      yield all
        .slice(at, at + COLUMNS_OF_TURN)
        .map(({ pointer, column, parent }) => column.describe(pointer, parent?.column.objects() ?? column.present()))
    }
  }

  return { add: (row) => add(root, row, 0), describe, isTruncated: () => isTruncated }
}

const PAUSE: readonly void[] = [undefined]
const NO_PAUSE: readonly void[] = []

function node(pointer: string, parent: Node | undefined): Node {
  return { pointer, column: createColumn(), children: new Map(), items: undefined, parent }
}
