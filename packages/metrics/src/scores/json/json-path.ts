import { invalidRequest } from "@assay/schemas"

/** Keys of objects and indexes of arrays, from the outside in. An index below 0 counts from the end. */
export type JsonPath = readonly (string | number)[]

const STEP = /(?:^|\.)([^.[\]'"\s]+)|\[(-?\d{1,15})\]|\['([^']*)'\]|\["([^"]*)"\]/y

/**
 * Parses the subset of JSONPath (RFC 9535) that names one value: `$.a.b[0]`, `a.b`, `$['a b'][-1]`. `$` alone is the whole
 * value.
 * @throws `invalid_request` with the position of the fault
 */
export function parseJsonPath(path: string): JsonPath {
  const steps: (string | number)[] = []
  const pattern = new RegExp(STEP)
  let at = path.startsWith("$") ? 1 : 0
  pattern.lastIndex = at
  if (path === "") throw unreadable(path, at)
  while (at < path.length) {
    const [found, name, index, single, double] = pattern.exec(path) ?? []
    if (found === undefined) throw unreadable(path, at)
    steps.push(index === undefined ? (name ?? single ?? double ?? "") : Number(index))
    at = pattern.lastIndex
  }
  return steps
}

function unreadable(path: string, at: number): Error {
  const rule = "write a path to one value, like $.a.b[0] or a.b."
  return invalidRequest(["json_path"], `'${path}' can't be read at position ${at}; ${rule}`, "json_path", path)
}

/** Returns the value at a path, or undefined if there is none. It finds own properties only. */
export function readJsonPath(value: unknown, path: JsonPath): unknown {
  let current = value
  for (const step of path) {
    if (typeof current !== "object" || current === null) return undefined
    if (Array.isArray(current)) current = typeof step === "number" ? current.at(step) : undefined
    else current = Object.hasOwn(current, step) ? (current as Record<string | number, unknown>)[step] : undefined
  }
  return current
}
