import { Visitor } from "oxc-parser"
import type { SourceFile } from "../reading/source-file.ts"

/** Members that read the clock, create an id or use the process. Timers are allowed: they only wait. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  Date: ["now"],
  Math: ["random"],
  performance: ["now", "timeOrigin"],
  crypto: ["randomUUID"],
  globalThis: ["process", "console", "fetch"],
}
const NAMES = new Set(["process", "console", "randomUUID"])
/** A mark that a pure source usually lacks. Such a source needs no visit. */
const IMPURE = new RegExp(`\\b(${[...Object.keys(MEMBERS), ...NAMES].join("|")})\\b`)

/** Returns the uses of the process, clock and random ids in a source below the apps, as `path:line: word`. */
export function impureUses(source: SourceFile): readonly string[] {
  const found: string[] = []
  if (!IMPURE.test(source.text)) return found
  const labels = new Set<number>()
  const note = (start: number, word: string) => {
    found.push(`${source.path}:${source.text.slice(0, start).split("\n").length}: ${word}`)
  }
  new Visitor({
    MemberExpression(node) {
      if (node.computed || node.property.type !== "Identifier") return
      labels.add(node.property.start)
      if (node.object.type !== "Identifier") return
      if (MEMBERS[node.object.name]?.includes(node.property.name)) {
        note(node.start, `${node.object.name}.${node.property.name}`)
      }
    },
    Property(node) {
      if (!node.computed && !node.shorthand) labels.add(node.key.start)
    },
    MethodDefinition(node) {
      labels.add(node.key.start)
    },
    TSPropertySignature(node) {
      labels.add(node.key.start)
    },
    TSMethodSignature(node) {
      labels.add(node.key.start)
    },
    NewExpression(node) {
      if (node.callee.type === "Identifier" && node.callee.name === "Date" && node.arguments.length === 0) {
        note(node.start, "new Date()")
      }
    },
    CallExpression(node) {
      if (node.callee.type === "Identifier" && node.callee.name === "Date") note(node.start, "Date()")
    },
    Identifier(node) {
      if (NAMES.has(node.name) && !labels.has(node.start)) note(node.start, node.name)
    },
  }).visit(source.program)
  return found
}
