import { Visitor, type Argument } from "oxc-parser"
import type { SourceFile } from "../reading/source-file.ts"

/** Returns the codes with which a source creates errors: `new AssayError("code", …)`. */
export function thrownCodes(source: SourceFile): readonly string[] {
  const found: string[] = []
  if (!source.text.includes("AssayError")) return found
  new Visitor({
    NewExpression(node) {
      if (node.callee.type !== "Identifier" || node.callee.name !== "AssayError") return
      const code = literalText(node.arguments[0])
      if (code !== undefined) found.push(code)
    },
  }).visit(source.program)
  return found
}

/** Returns the strings of a source that could be a code: all except keys of objects and arguments of `isAssayError`. */
export function mentionedWords(source: SourceFile): readonly string[] {
  const found: string[] = []
  const asked = new Set<number>()
  new Visitor({
    CallExpression(node) {
      if (node.callee.type !== "Identifier" || node.callee.name !== "isAssayError") return
      for (const argument of node.arguments) asked.add(argument.start)
    },
    Property(node) {
      asked.add(node.key.start)
    },
    Literal(node) {
      if (typeof node.value === "string" && !asked.has(node.start)) found.push(node.value)
    },
  }).visit(source.program)
  return found
}

function literalText(node: Argument | undefined): string | undefined {
  return node?.type === "Literal" && typeof node.value === "string" ? node.value : undefined
}
