import { isExactNumber } from "@assay/json"
import { TemplateFailure, type TemplateFault, templateFault } from "../faults/template-fault.ts"
import type { ParsedTemplate } from "../syntax/parse-template.ts"
import { renderNodes } from "./run/execute.ts"
import type { TemplateDate } from "./run/format-date.ts"
import { chatGlobals } from "./run/globals.ts"
import { type ParsedNode, scopeIn, type TemplateRun } from "./run/template-run.ts"
import type { PythonValue } from "./values/python-value.ts"

/** A rendered chat template, or the fault that ended the run. */
export type ChatTemplateResult =
  | { readonly text: string; readonly fault: null }
  | { readonly text: null; readonly fault: TemplateFault }

/**
 * Renders a chat template as `transformers` does with Jinja 3.1: Python's texts of values, its methods, and Jinja's scopes and
 * undefined values. Texts and lists are bounded to a million entries. Time and memory are not limited here.
 * @param values texts, numbers, booleans, null, lists and plain objects, by name
 */
export function renderChatTemplate(
  { program, lines }: ParsedTemplate,
  values: Readonly<Record<string, unknown>>,
  date: TemplateDate,
): ChatTemplateResult {
  const run: TemplateRun = {
    render: (nodes, scope) => renderNodes(nodes as readonly ParsedNode[], scope, run),
    failure: undefined,
  }
  try {
    const given = Object.entries(values).map(([name, value]) => [name, toPython(value)] as const)
    const scope = scopeIn(scopeIn(undefined, chatGlobals(date)), given)
    return { text: run.render((program as ParsedNode)["body"] as readonly ParsedNode[], scope), fault: null }
  } catch (error) {
    const at = run.failure?.error === error ? run.failure?.node : undefined
    return { text: null, fault: faultOf(error, at === undefined ? null : (lines.get(at) ?? null)) }
  }
}

function faultOf(error: unknown, line: number | null): TemplateFault {
  if (error instanceof TemplateFailure) return templateFault(line, error.message, error.isGap)
  if (!(error instanceof RangeError)) throw error
  return templateFault(line, "can't be rendered: it goes too deep, or makes a text that is too long")
}

/** Converts JSON. A number with a point or an exponent is a float. */
function toPython(value: unknown): PythonValue {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value
  if (isExactNumber(value)) return numberFrom(value.rawJSON)
  if (typeof value === "number") return numberFrom(String(value))
  if (Array.isArray(value)) return value.map(toPython)
  if (typeof value !== "object") throw new TemplateFailure(`can't be rendered: it is given a ${typeof value}`)
  return new Map(Object.entries(value).map(([key, part]) => [key, toPython(part)] as const))
}

function numberFrom(text: string): bigint | number {
  return /[.eE]/.test(text) ? Number(text) : BigInt(text)
}
