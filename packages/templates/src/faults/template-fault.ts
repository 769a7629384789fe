import { AssayError } from "@assay/schemas"

/** What is wrong with a template. */
export interface TemplateFault {
  /** From 1; null where it has no line, as when rendering takes too long. */
  readonly line: number | null
  /** The end of a sentence about the template. */
  readonly text: string
  /** Whether it is the engine that can't, and not the template. */
  readonly isGap: boolean
}

export function templateFault(line: number | null, text: string, isGap = false): TemplateFault {
  return { line, text, isGap }
}

/** The fault as the end of a sentence, with its line. */
export function formatTemplateFault({ line, text }: TemplateFault): string {
  return line === null ? text : `${text} (line ${line})`
}

/** The fault of a template as an error, `template_error`. */
export function templateError(fault: TemplateFault, name: string | undefined): AssayError {
  const subject = name === undefined ? "The template" : `The template '${name}'`
  const gap = fault.isGap ? "; Jinja in Python has it, the engine here does not" : ""
  const sentence = `${subject} ${formatTemplateFault({ ...fault, text: fault.text + gap })}`
  return new AssayError("template_error", `${sentence}.`, {
    context: { template: name ?? null, line: fault.line },
  })
}

/** Ends the run of a template. The message is the end of a sentence about the template. */
export class TemplateFailure extends Error {
  override readonly name = "TemplateFailure"
}
