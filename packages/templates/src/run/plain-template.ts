import { type ExactNumber, isExactNumber } from "@assay/schemas"
import { isPlainObject } from "../engine/convert-values.ts"
import { writtenPath } from "../syntax/node-names.ts"
import { childrenOf, propertyOf, type SyntaxNode } from "../syntax/syntax-node.ts"
import type { TemplateValues } from "../template.ts"

/** A text, or the path of a value that is written without any filter. */
type PlainPart = string | readonly [string, ...string[]]

/** Returns the parts of a template that consists only of texts, names and properties; undefined for any other template. */
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
 * Renders a plain template without the engine. Returns undefined if a value is not a text, number, boolean or null: the
 * engine renders the template then.
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

/** Returns the own property at a path; undefined if it does not exist, or is a list or an object. */
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
