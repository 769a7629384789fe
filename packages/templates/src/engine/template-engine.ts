import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja"
import type { SyntaxNode } from "../syntax/syntax-node.ts"
import type { TemplateToken } from "../syntax/token-lines.ts"

/** A value while a template runs: the engine wraps each in an object that knows its type. */
export interface EngineValue {
  readonly type: string
  readonly value: unknown
  readonly toString: () => string
}

/** Where the names of a template are looked up. */
export interface TemplateScope {
  readonly variables: ReadonlyMap<string, EngineValue>
  readonly parent?: TemplateScope | undefined
  /** Takes a plain value; a name can be set once. */
  readonly set: (name: string, value: unknown) => EngineValue
  /** Takes a value of the engine; a name can be set again. */
  readonly setVariable: (name: string, value: EngineValue) => unknown
}

/** Evaluates nodes, each through `evaluate`, which can be replaced. Some filters give nothing at all. */
export interface TemplateInterpreter {
  evaluate: (node: SyntaxNode | undefined, scope: TemplateScope) => EngineValue | undefined
  readonly run: (program: SyntaxNode) => EngineValue
}

/** What happens to the whitespace around tags; both are off in Jinja unless they are set. */
export interface TemplateWhitespace {
  /** Takes out what is before a block on its line. */
  readonly lstrip_blocks: boolean
  /** Takes out the end of line after a block. */
  readonly trim_blocks: boolean
}

/** What is used of the template engine, whose own types can't be resolved from an ES module. */
export interface TemplateEngine {
  readonly tokenize: (source: string, whitespace: TemplateWhitespace) => readonly TemplateToken[]
  readonly parse: (tokens: readonly TemplateToken[]) => SyntaxNode
  readonly createScope: () => TemplateScope
  readonly createInterpreter: (scope: TemplateScope) => TemplateInterpreter
}

export const templateEngine: TemplateEngine = {
  tokenize,
  parse,
  createScope: () => new Environment() as TemplateScope,
  createInterpreter: (scope) => new Interpreter(scope) as TemplateInterpreter,
}

/** A plain value as one of the engine. */
export function engineValue(value: unknown): EngineValue {
  return templateEngine.createScope().set("value", value)
}
