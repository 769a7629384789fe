import { messageOf } from "@assay/schemas/errors"
import { type EngineValue, templateEngine, type TemplateScope } from "../engine/template-engine.ts"
import { TemplateFailure, templateFault, type TemplateFault } from "../faults/template-fault.ts"
import { isEngineGap } from "../syntax/engine-gaps.ts"
import type { ParsedTemplate } from "../syntax/parse-template.ts"
import type { SyntaxNode } from "../syntax/syntax-node.ts"

export interface ProgramRun {
  readonly scope: TemplateScope
  /** The node to evaluate. Default: the whole program, whose value is a text. */
  readonly node?: SyntaxNode
  /** Receives the value of each node and returns the value to use. It ends the run by throwing a `TemplateFailure`. */
  readonly inspect: Inspect
}

export type Inspect = (result: EngineValue | undefined, inspected: InspectedNode) => EngineValue | undefined

export interface InspectedNode {
  readonly node: SyntaxNode | undefined
  readonly scope: TemplateScope
  /** Evaluates another node in the same run. */
  readonly evaluate: (node: SyntaxNode | undefined, scope: TemplateScope) => EngineValue | undefined
}

export type ProgramResult =
  | { readonly value: EngineValue | undefined; readonly fault: null }
  | { readonly value: null; readonly fault: TemplateFault }

/** Runs a parsed template and returns its value, or the fault that ended the run. */
export function runProgram({ program, lines }: ParsedTemplate, { scope, node, inspect }: ProgramRun): ProgramResult {
  const interpreter = templateEngine.createInterpreter(scope)
  const evaluate = interpreter.evaluate.bind(interpreter)
  let failure: { readonly error: unknown; readonly node: SyntaxNode | undefined } | undefined
  // All nodes are evaluated through this function. The first node that an error leaves is where it was thrown.
  interpreter.evaluate = (node, scope) => {
    try {
      return inspect(evaluate(node, scope), { node, scope, evaluate: interpreter.evaluate })
    } catch (error) {
      if (failure?.error !== error) failure = { error, node }
      throw error
    }
  }
  try {
    return { value: interpreter.evaluate(node ?? program, scope), fault: null }
  } catch (error) {
    const at = failure?.node
    const text = describeRenderError(error)
    const line = at === undefined ? null : (lines.get(at) ?? null)
    return { value: null, fault: templateFault(line, text, isEngineGap(text, at)) }
  }
}

function describeRenderError(error: unknown): string {
  if (error instanceof TemplateFailure) return error.message
  if (error instanceof RangeError) return "can't be rendered: it goes too deep, or makes a text that is too long"
  return `can't be rendered: ${messageOf(error)}`
}
