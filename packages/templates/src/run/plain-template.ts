import { type ExactNumber, isExactNumber } from "@assay/schemas"
import { isPlainObject } from "../engine/convert-values.ts"
import { writtenPath } from "../syntax/node-names.ts"
import { childrenOf, propertyOf, type SyntaxNode } from "../syntax/syntax-node.ts"
import type { TemplateValues } from "../template.ts"

/** A text, or the path of a value that is written as it is. */
type PlainPart = string | readonly [string, ...string[]]

/** The parts of a template that is texts and names or properties alone; undefined for any other. */
export function plainParts(program: SyntaxNode, globals: ReadonlySet<string>): readonly PlainPart[] | undefined {
  const parts: PlainPart[] = []
  for (const node of childrenOf(program)) {
    if (node.type === "Comment") continue
    if (node.type === "StringLiteral") {
      parts.push(String(propertyOf(node, "value")))
      continue
    }
    const [name, ...rest] = writtenPath(node) ?? []
    if (name === undefined || globals.has(name)) return undefined
    parts.push([name, ...rest])
  }
  return parts
}

/**
 * What the engine would make of `parts`, without it; undefined where there is more to it than texts, numbers and booleans:
 * then the engine decides.
 */
export function renderPlain(parts: readonly PlainPart[], values: TemplateValues): string | undefined {
  let text = ""
  for (const part of parts) {
    const value = typeof part === "string" ? part : scalarAt(part, values)
    if (value === undefined) return undefined
    text += value === null ? "" : isExactNumber(value) ? value.rawJSON : String(value)
  }
  return text
}

/** The own property at `path` that is no list and no object; undefined where there is none. */
export function scalarAt(
  path: readonly string[],
  values: TemplateValues,
): string | number | boolean | ExactNumber | null | undefined {
  let value: unknown = values
  for (const key of path) {
    if (
      typeof value !== "object" ||
      value === null ||
      isExactNumber(value) ||
      !isPlainObject(value) ||
      !Object.hasOwn(value, key)
    ) {
      return undefined
    }
    value = (value as TemplateValues)[key]
  }
  if (value === null || isExactNumber(value)) return value
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? value : undefined
}
