import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja"
import type { SyntaxNode } from "./syntax-node.ts"
import type { TemplateToken } from "./token-lines.ts"

/** Where the names of a template are looked up. */
export interface TemplateScope {
  readonly set: (name: string, value: unknown) => unknown
}

/** Evaluates nodes, each through `evaluate`, which can be replaced. */
export interface TemplateInterpreter {
  evaluate: (node: SyntaxNode | undefined, scope: TemplateScope) => unknown
  readonly run: (program: SyntaxNode) => unknown
}

/** What is used of the template engine, whose own types can't be resolved from an ES module. */
export interface TemplateEngine {
  readonly tokenize: (
    source: string,
    options: { readonly lstrip_blocks: boolean; readonly trim_blocks: boolean },
  ) => readonly TemplateToken[]
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
