import { Visitor } from "oxc-parser"
import type { SourceFile } from "./source-file.ts"

/** Requirement ids have a dot, so that other words in brackets are left alone. */
const CITATION = /\[([a-z0-9-]+(?:\.[a-z0-9-]+)+(?:,\s*[a-z0-9-]+(?:\.[a-z0-9-]+)+)*)\]\s*$/

/**
 * The requirement ids that a test file cites: in square brackets at the end of a title. Every text of the file is read,
 * not only the first argument of `it`, because titles also stand in tables of cases.
 */
export function citations(source: SourceFile): readonly string[] {
  const found: string[] = []
  const cite = (text: string) => {
    for (const id of CITATION.exec(text)?.[1]?.split(",") ?? []) found.push(id.trim())
  }
  new Visitor({
    Literal(node) {
      if (typeof node.value === "string") cite(node.value)
    },
    TemplateElement(node) {
      if (node.tail) cite(node.value.raw)
    },
  }).visit(source.program)
  return found
}
