import { posix } from "node:path"
import { Visitor } from "oxc-parser"
import type { SourceFile } from "../reading/source-file.ts"
import { sourceKind } from "../reading/source-kind.ts"

const MAX_LINES = 300
const MAX_TEST_LINES = 400
/** The entry of a package only lists what it exports. */
const ENTRY = /^packages\/[^/]+\/src\/index\.ts$/
const CONFIGURATION = /\.config\.ts$/
const UNFINISHED = /\b(TODO|FIXME|XXX)\b/
/** Node's recursive call never ends on a file system that has no new folders, and names the wrong cause on a read-only one. */
const RECURSIVE_FOLDER = /\bmkdir(?:Sync)?\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*recursive: true/
/** Several constants in one line save lines, and hide what each one is. */
const TUPLE = /^(?:export )?(?:const|let) \[[A-Z_]{2}[^\]]*\] = \[/m
const PRODUCT = /^(?:apps|packages\/(?!testkit\/))/

/** Texts without these have nothing that the visit finds. Most sources are such texts. */
const SUSPECT = /\bexport\s*(\*|default\b)|\bclass\b/
const SUSPECT_TEST = /\.(only|skip|todo|fails)\b|\bvi\.(mock|doMock|hoisted|stubGlobal)\b/
const SILENCED = /(oxlint|eslint)-disable|@ts-(ignore|expect-error|nocheck)/

/** Returns the violations of the common shape in a source, each as a sentence. */
export function sourceFaults(source: SourceFile): readonly string[] {
  const found: string[] = []
  const isTest = sourceKind(source.path) !== "source"
  const lines = source.text.split("\n").length - 1
  const limit = isTest ? MAX_TEST_LINES : MAX_LINES
  if (lines > limit && !ENTRY.test(source.path)) found.push(`has ${lines} lines, at most ${limit} are allowed.`)
  for (const comment of source.comments) {
    if (UNFINISHED.test(comment)) found.push(`is unfinished: ${comment.trim()}`)
    if (SILENCED.test(comment) && !/ -- \S/.test(comment))
      found.push(`silences a rule without a reason: ${comment.trim()}`)
  }
  if (!isTest && PRODUCT.test(source.path) && RECURSIVE_FOLDER.test(source.text))
    found.push("creates folders with mkdir; call createFolder of storage.")
  if (!isTest && TUPLE.test(source.text)) found.push("has several constants in one declaration.")
  if (SUSPECT.test(source.text) || (isTest && SUSPECT_TEST.test(source.text))) visitSyntax(source, isTest, found)
  return found.map((fault) => `${source.path} ${fault}`)
}

/** Adds the faults that only the syntax tree shows. */
function visitSyntax(source: SourceFile, isTest: boolean, found: string[]): void {
  new Visitor({
    ExportAllDeclaration: () => void found.push("exports everything of another file; name what it exports."),
    ExportDefaultDeclaration: () => {
      if (!CONFIGURATION.test(posix.basename(source.path))) found.push("has a default export.")
    },
    ClassDeclaration: (node) => {
      if (node.superClass === null) found.push(`has a class, ${node.id?.name ?? "unnamed"}, where a function would do.`)
    },
    MemberExpression: (node) => {
      if (isTest && isTestSwitch(source.text.slice(node.start, node.end)))
        found.push("leaves a test out, or all others.")
      if (isTest && isReplacement(source.text.slice(node.start, node.end))) found.push("replaces what it should test.")
    },
  }).visit(source.program)
}

function isTestSwitch(member: string): boolean {
  return /^(it|test|describe|bench)(\.\w+)*\.(only|skip|todo|fails)$/.test(member)
}

function isReplacement(member: string): boolean {
  return /^vi\.(mock|doMock|hoisted|stubGlobal)$/.test(member)
}
