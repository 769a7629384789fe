import { Visitor } from "oxc-parser"
import type { SourceFile } from "../reading/source-file.ts"

/** Returns the requirement ids that a test file cites: the arguments of `verifies()`. */
export function citations(source: SourceFile): readonly string[] {
  const found: string[] = []
  if (!source.text.includes("verifies")) return found
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== "Identifier" || callee.name !== "verifies") return
      for (const id of given) if (id.type === "Literal" && typeof id.value === "string") found.push(id.value)
    },
  }).visit(source.program)
  return found
}
