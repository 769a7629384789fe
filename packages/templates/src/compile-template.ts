import { type ExactNumber, isExactNumber } from "@assay/json"
import { fromEngineValue, isPlainObject } from "./engine/convert-values.ts"
import { jinjaGlobals } from "./engine/jinja-globals.ts"
import { templateError, templateFault } from "./faults/template-fault.ts"
import { templateReads } from "./reads/template-reads.ts"
import type { StepBudget } from "./run/run-limits.ts"
import { createStrictRun } from "./run/strict-run.ts"
import { JINJA_FUNCTIONS } from "./syntax/engine-gaps.ts"
import { writtenPath } from "./syntax/node-names.ts"
import { parseTemplate } from "./syntax/parse-template.ts"
import { unknownName } from "./syntax/unknown-names.ts"
import { type SyntaxNode, childrenOf, propertyOf } from "./syntax/syntax-node.ts"
import type { Template, TemplateValues } from "./template.ts"

export interface CompileTemplateOptions {
  /** The name of the template in messages; none by default. */
  readonly name?: string | undefined
}

/** Keeps white space, except one line feed at the end. These are the defaults of Jinja. */
const WHITESPACE = { lstrip_blocks: false, trim_blocks: false } as const
const MAX_CHARACTERS = 128 * 1024
const MAX_BLANKS = 500
const LONG_BLANKS = new RegExp(`\\s{${MAX_BLANKS + 1}}`)
const STATEMENTS = new Set(["If", "For", "Set", "Macro", "CallStatement", "FilterStatement", "Break", "Continue"])

/**
 * Compiles a Jinja template.
 * @throws `template_error` with the line if the template can't be parsed, or has an unknown filter or test
 */
export function compileTemplate(source: string, { name }: CompileTemplateOptions = {}): Template {
  checkSource(source, name)
  const { template, fault } = parseTemplate(source, WHITESPACE)
  if (fault !== null) throw templateError(fault, name)
  const unknown = unknownName(template)
  if (unknown !== undefined) throw templateError(unknown, name)
  const { program } = template
  const { outer, paths } = templateReads(template)
  const run = createStrictRun(template, { name, paths })
  const parts = plainParts(program, new Set([...Object.keys(jinjaGlobals()), ...JINJA_FUNCTIONS]))
  const expression = soleExpression(program)
  const [only] = expression === undefined ? [] : (parts ?? [])
  const path = typeof only === "string" ? undefined : only
  const needed = outer.filter(({ isOptional }) => !isOptional)

  function render(values: TemplateValues, steps?: StepBudget): string {
    const text = parts === undefined ? undefined : renderPlain(parts, values)
    return text ?? run(values, { node: program, steps }, String)
  }

  return {
    name,
    reads: outer,
    names: [...new Set(needed.map(({ path: [first = ""] }) => first))],
    paths: needed.filter(({ path }) => path.length > 1).map(({ path }) => path.join(".")),
    render,
    evaluate(values, steps) {
      if (expression === undefined) return render(values, steps)
      const scalar = path === undefined ? undefined : scalarAt(path, values)
      return scalar === undefined ? run(values, { node: expression, steps }, fromEngineValue) : scalar
    },
  }
}

/** Refuses sources that the engine would parse too slowly. Its time grows with the square of consecutive blanks. */
function checkSource(source: string, name: string | undefined): void {
  if (source.length > MAX_CHARACTERS) {
    throw templateError(templateFault(null, `has ${source.length} characters; ${MAX_CHARACTERS} are allowed`), name)
  }
  const [blanks] = LONG_BLANKS.exec(source) ?? []
  if (blanks === undefined) return
  throw templateError(templateFault(null, `has more than ${MAX_BLANKS} blanks in a row; take some out`), name)
}

function soleExpression(program: SyntaxNode): SyntaxNode | undefined {
  const [node, ...rest] = childrenOf(program).filter(({ type }) => type !== "Comment")
  return node === undefined || rest.length > 0 || STATEMENTS.has(node.type) ? undefined : node
}

/** A text, or the path of a value that is written without any filter. */
type PlainPart = string | readonly [string, ...string[]]

/** Returns the parts of a template that consists only of texts, names and properties; undefined for any other template. */
function plainParts(program: SyntaxNode, globals: ReadonlySet<string>): readonly PlainPart[] | undefined {
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
function renderPlain(parts: readonly PlainPart[], values: TemplateValues): string | undefined {
  let text = ""
  for (const part of parts) {
    const value = typeof part === "string" ? part : scalarAt(part, values)
    if (value === undefined) return undefined
    text += value === null ? "" : isExactNumber(value) ? value.rawJSON : String(value)
  }
  return text
}

/** Returns the own property at a path; undefined if it does not exist, or is a list or an object. */
function scalarAt(
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
