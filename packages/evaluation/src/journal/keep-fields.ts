type Item = Readonly<Record<string, unknown>>

/**
 * Returns an item with some of its fields. A name that is not a field is a path, such as `about.topic`, of which only the value at its end
 * is kept. Readers of these fields and paths find what they find in the whole item.
 */
export function keepFields(item: Item, fields: readonly string[]): Item {
  const kept = Object.fromEntries(
    fields.flatMap((name) => (Object.hasOwn(item, name) ? [[name, item[name]] as const] : [])),
  )
  const whole = new Set(Object.keys(kept))
  const paths = fields.filter((name) => !whole.has(name)).map((name) => name.split("."))
  // Short paths first: a value contains the values at longer paths through it.
  for (const path of paths.toSorted((a, b) => a.length - b.length)) {
    const found = whole.has(path[0] ?? "") ? undefined : branchOf(item, path)
    if (found !== undefined) join(kept, found)
  }
  return kept
}

type Branch = Record<string, unknown>

/** Returns the objects along a path, with nothing beside it. Undefined if the path leads nowhere. */
function branchOf(item: Item, path: readonly string[]): Branch | undefined {
  let value: unknown = item
  for (const name of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined
    value = (value as Item)[name]
  }
  return path.reduceRight<unknown>((inner, name) => Object.fromEntries([[name, inner]]), value) as Branch
}

/** Adds a branch to a tree. A value that is already there stays, because it is the same one or has more. */
function join(tree: Branch, branch: Branch): void {
  let into = tree
  let from = branch
  for (;;) {
    const [entry] = Object.entries(from)
    if (entry === undefined) return
    const [name, value] = entry
    const present = Object.hasOwn(into, name) ? into[name] : undefined
    if (present === undefined) {
      Object.defineProperty(into, name, { value, enumerable: true, configurable: true, writable: true })
      return
    }
    if (!isBranch(present) || !isBranch(value)) return
    into = present
    from = value
  }
}

function isBranch(value: unknown): value is Branch {
  return typeof value === "object" && value !== null
}
