import { areUnique } from "../compile/ajv-keywords.ts"
import type { Dialect } from "../compile/dialect.ts"
import { below, evaluate, fail, type Check, type CompilePart, type MakeChecks, type Node } from "./node.ts"

/** Creates the checks of array keywords, except `unevaluatedItems`. */
export function arrayChecks(dialect: Dialect): MakeChecks {
  return (schema, compile) => {
    const prefix = dialect === "2020-12" ? schema["prefixItems"] : schema["items"]
    const rest = dialect === "2020-12" ? schema["items"] : Array.isArray(prefix) ? schema["additionalItems"] : undefined
    const all = dialect === "draft-07" && !Array.isArray(prefix) ? prefix : rest
    return [
      itemsCheck(Array.isArray(prefix) ? prefix : [], all, compile),
      containsCheck(schema, dialect, compile),
      countCheck("minItems", schema["minItems"], "fewer"),
      countCheck("maxItems", schema["maxItems"], "more"),
      schema["uniqueItems"] === true ? uniqueCheck : undefined,
    ]
  }
}

/** Creates the check of `unevaluatedItems`. It must run last, because it checks what no other keyword evaluated. */
export function unevaluatedItemsCheck(part: unknown, compile: CompilePart): Check | undefined {
  if (part === undefined) return undefined
  const node = compile(part)
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true
    for (let index = seen.itemsBefore; index < value.length; index++) {
      if (seen.items.has(index)) continue
      if (part === false) {
        const message = `must NOT have item ${index}, which no other keyword allows`
        return fail(run, { keyword: "unevaluatedItems", params: { index }, message, data: value })
      }
      if (!evaluate(node, value[index], below(run, index))) return false
    }
    seen.itemsBefore = value.length
    return true
  }
}

function itemsCheck(prefix: readonly unknown[], rest: unknown, compile: CompilePart): Check | undefined {
  if (prefix.length === 0 && rest === undefined) return undefined
  const nodes = prefix.map(compile)
  const others = rest === undefined ? undefined : compile(rest)
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true
    const count = others === undefined ? Math.min(nodes.length, value.length) : value.length
    let isValid = true
    for (let index = 0; index < count; index++) {
      const node = nodes[index] ?? others
      if (node === undefined || evaluate(node, value[index], below(run, index))) continue
      isValid = false
      if (run.errors === null) break
    }
    seen.itemsBefore = Math.max(seen.itemsBefore, count)
    return isValid
  }
}

function containsCheck(
  { contains, minContains, maxContains }: Readonly<Record<string, unknown>>,
  dialect: Dialect,
  compile: CompilePart,
): Check | undefined {
  if (contains === undefined) return undefined
  const node = compile(contains)
  const isCounted = dialect === "2020-12"
  const min = isCounted && typeof minContains === "number" ? minContains : 1
  const max = isCounted && typeof maxContains === "number" ? maxContains : Number.POSITIVE_INFINITY
  const maxText = max === Number.POSITIVE_INFINITY ? "" : ` and no more than ${max}`
  const message = `must contain at least ${min}${maxText} valid item(s)`
  return (value, run, seen) => {
    if (!Array.isArray(value)) return true
    const found = matching(node, value, { ...run, errors: null })
    if (isCounted) for (const index of found) seen.items.add(index)
    if (found.length >= min && found.length <= max) return true
    return fail(run, { keyword: "contains", params: { minContains: min }, message, data: value })
  }
}

function matching(node: Node, items: readonly unknown[], run: Parameters<typeof evaluate>[2]): readonly number[] {
  return [...items.keys()].filter((index) => evaluate(node, items[index], run))
}

function countCheck(keyword: string, limit: unknown, word: "fewer" | "more"): Check | undefined {
  if (typeof limit !== "number") return undefined
  const message = `must NOT have ${word} than ${limit} items`
  return (value, run) =>
    !Array.isArray(value) ||
    (word === "fewer" ? value.length >= limit : value.length <= limit) ||
    fail(run, { keyword, params: { limit }, message, data: value })
}

const uniqueCheck: Check = (value, run) =>
  !Array.isArray(value) ||
  areUnique(value) ||
  fail(run, { keyword: "uniqueItems", params: {}, message: "must NOT have equal items", data: value })
