export { compileTemplate, type CompileTemplateOptions } from "./compile-template.ts"
export { isEngineGap, JINJA_FUNCTIONS } from "./engine-gaps.ts"
export { jinjaGlobals } from "./jinja-globals.ts"
export { outerNames, type OuterName } from "./names-in-template.ts"
export { parseTemplate, type ParsedTemplate, type ParseResult } from "./parse-template.ts"
export { createStepBudget, type StepBudget } from "./run-limits.ts"
export { runProgram, type Inspect, type InspectedPlace, type ProgramResult, type ProgramRun } from "./run-program.ts"
export type { SyntaxNode } from "./syntax-node.ts"
export {
  templateEngine,
  type EngineValue,
  type TemplateEngine,
  type TemplateInterpreter,
  type TemplateScope,
  type TemplateWhitespace,
} from "./template-engine.ts"
export { TemplateFailure } from "./template-failure.ts"
export { formatTemplateFault, templateFault, type TemplateFault } from "./template-fault.ts"
export type { TemplateRead } from "./template-reads.ts"
export type { TemplateToken } from "./token-lines.ts"
export type { Template, TemplateValues } from "./template.ts"
