import { type Conversion, type ReadShape, readShapes, toEngineValue } from "../engine/convert-values.ts"
import { jinjaGlobals } from "../engine/jinja-globals.ts"
import { engineValue, type EngineValue, templateEngine, type TemplateScope } from "../engine/template-engine.ts"
import { templateError, TemplateFailure, templateFault } from "../faults/template-fault.ts"
import { nodeRoles } from "../syntax/node-roles.ts"
import type { ParsedTemplate } from "../syntax/parse-template.ts"
import type { SyntaxNode } from "../syntax/syntax-node.ts"
import type { TemplateValues } from "../template.ts"
import { type StepBudget, runCosts } from "./run-limits.ts"
import { runProgram } from "./run-program.ts"
import { createStrictInspect } from "./strict-inspect.ts"

interface StrictRunOptions {
  readonly name: string | undefined
  /** All paths that the template may read. */
  readonly paths: readonly (readonly string[])[]
}

/** Evaluates a node with values and converts the result with `read`. */
type StrictRun = <T>(
  values: TemplateValues,
  run: { readonly node: SyntaxNode; readonly steps: StepBudget | undefined },
  read: (result: EngineValue | undefined) => T,
) => T

/** Keywords of the language, which no value can replace. */
const CONSTANTS = new Set(["true", "True", "false", "False", "none", "None"])

/** Prepares the engine for one template. Everything that does not depend on the values is prepared once. */
export function createStrictRun(template: ParsedTemplate, { name, paths }: StrictRunOptions): StrictRun {
  const globals = new Map(Object.entries(jinjaGlobals()).map(([key, value]) => [key, engineValue(value)]))
  const globalNames = new Set([...globals.keys(), "namespace"])
  const roles = nodeRoles(template.program)
  const costs = runCosts(template.program)
  const shapes = readShapes(paths)

  return (values, { node, steps }, read) => {
    const conversion: Conversion = { originals: new WeakMap(), numbers: new Map() }
    const { originals } = conversion
    const given = Object.keys(values).filter((key) => values[key] !== undefined)
    const inspect = createStrictInspect({ roles, costs, steps, given, globals: globalNames, originals })
    try {
      const scope = createScope(globals, { values, shapes, conversion })
      const { value, fault } = runProgram(template, { scope, node, inspect })
      if (fault !== null) throw templateError(fault, name)
      return read(value ?? undefined)
    } catch (error) {
      if (error instanceof TemplateFailure) throw templateError(templateFault(null, error.message), name)
      if (error instanceof RangeError)
        throw templateError(templateFault(null, "is given values nested too deeply"), name)
      throw error
    }
  }
}

interface ScopeContents {
  readonly values: TemplateValues
  readonly shapes: ReadonlyMap<string, ReadShape>
  readonly conversion: Conversion
}

function createScope(
  globals: ReadonlyMap<string, EngineValue>,
  { values, shapes, conversion }: ScopeContents,
): TemplateScope {
  const scope = templateEngine.createScope()
  for (const [key, value] of globals) scope.setVariable(key, value)
  for (const [key, shape] of shapes) {
    if (CONSTANTS.has(key) || !Object.hasOwn(values, key)) continue
    scope.setVariable(key, toEngineValue(values[key], { path: key, shape }, conversion))
  }
  return scope
}
