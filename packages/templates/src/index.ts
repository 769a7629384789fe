export { compileTemplate, type CompileTemplateOptions } from "./compile-template.ts"
export { isEngineGap, JINJA_FUNCTIONS } from "./syntax/engine-gaps.ts"
export { jinjaGlobals } from "./engine/jinja-globals.ts"
export { outerNames, type OuterName } from "./reads/template-reads.ts"
export { parseTemplate, type ParsedTemplate, type ParseResult } from "./syntax/parse-template.ts"
export { createStepBudget, type StepBudget } from "./run/run-limits.ts"
export {
  runProgram,
  type Inspect,
  type InspectedPlace,
  type ProgramResult,
  type ProgramRun,
} from "./run/run-program.ts"
export type { SyntaxNode } from "./syntax/syntax-node.ts"
export {
  templateEngine,
  type EngineValue,
  type TemplateEngine,
  type TemplateInterpreter,
  type TemplateScope,
  type TemplateWhitespace,
} from "./engine/template-engine.ts"
export { TemplateFailure } from "./faults/template-fault.ts"
export { formatTemplateFault, templateFault, type TemplateFault } from "./faults/template-fault.ts"
export type { TemplateRead } from "./reads/template-reads.ts"
export type { TemplateToken } from "./syntax/token-lines.ts"
export type { Template, TemplateValues } from "./template.ts"
