import type { ProfileColumn } from "@assay/schemas"
import { isExactNumber } from "@assay/schemas/numbers"
import { createColumn, type Column } from "./column.ts"

/** Columns up to which rows are described; keys that are data themselves would otherwise make one of each. */
const MOST_COLUMNS = 1000
const DEEPEST = 20

interface Node {
  readonly pointer: string
  readonly column: Column
  readonly children: Map<string, Node>
  items: Node | undefined
  /** The node of the object that this is a property of; undefined for the row and for elements. */
  readonly parent: Node | undefined
}

export interface ColumnTree {
  readonly add: (row: unknown) => void
  readonly describe: () => readonly ProfileColumn[]
  readonly isTruncated: () => boolean
}

/** Describes rows place by place: each property, and all elements of an array as one. */
export function createColumnTree(): ColumnTree {
  const root = node("", undefined)
  const columns: Node[] = []
  let isTruncated = false

  /** Names beyond the limit cost nothing but the look: rows can have a hundred thousand of them. */
  function register(make: () => Node): Node | undefined {
    if (columns.length >= MOST_COLUMNS) {
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

  function add(place: Node, value: unknown, depth: number): void {
    place.column.add(value)
    if (depth === DEEPEST) return
    if (Array.isArray(value)) {
      if (value.length > 0) place.items ??= register(() => node(`${place.pointer}/*`, undefined))
      if (place.items !== undefined) for (const item of value) add(place.items, item, depth + 1)
    } else if (typeof value === "object" && value !== null && !isExactNumber(value)) {
      for (const [name, part] of Object.entries(value)) {
        const property = propertyOf(place, name)
        if (property !== undefined) add(property, part, depth + 1)
      }
    }
  }

  function describe(): readonly ProfileColumn[] {
    // Rows are objects as a rule; only others need a column of their own.
    const own = root.column.present() === root.column.objects() ? [] : [root]
    return [...own, ...columns].map(({ pointer, column, parent }) =>
      column.describe(pointer, parent?.column.objects() ?? column.present()),
    )
  }

  return { add: (row) => add(root, row, 0), describe, isTruncated: () => isTruncated }
}

function node(pointer: string, parent: Node | undefined): Node {
  return { pointer, column: createColumn(), children: new Map(), items: undefined, parent }
}
