import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja"
import type { SyntaxNode } from "../syntax/syntax-node.ts"
import type { TemplateToken } from "../syntax/token-lines.ts"

/** A value while a template runs. The engine wraps each value in an object with its type. */
export interface EngineValue {
  readonly type: string
  readonly value: unknown
  readonly toString: () => string
}

/** The names that a part of a template can see. */
export interface TemplateScope {
  readonly variables: ReadonlyMap<string, EngineValue>
  readonly parent?: TemplateScope | undefined
  /** Sets a name to a plain value. A name can be set only once. */
  readonly set: (name: string, value: unknown) => EngineValue
  /** Sets a name to a value of the engine. A name can be set again. */
  readonly setVariable: (name: string, value: EngineValue) => unknown
}

/** Evaluates each node through `evaluate`, which can be replaced. Some filters return undefined. */
export interface TemplateInterpreter {
  evaluate: (node: SyntaxNode | undefined, scope: TemplateScope) => EngineValue | undefined
  readonly run: (program: SyntaxNode) => EngineValue
}

/** The treatment of white space around tags. Jinja's default is false for both. */
export interface TemplateWhitespace {
  /** Remove white space before a block on its line. */
  readonly lstrip_blocks: boolean
  /** Remove the line feed after a block. */
  readonly trim_blocks: boolean
}

/** The part of the template engine that we use. Its own types can't be resolved from an ES module. */
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

/** Converts a plain value to a value of the engine. */
export function engineValue(value: unknown): EngineValue {
  return templateEngine.createScope().set("value", value)
}
