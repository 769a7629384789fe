import { AssayError } from "@assay/schemas/errors"

/** A fault in a template. */
export interface TemplateFault {
  /** The line, from 1. Null if the fault has no line, such as a run that takes too long. */
  readonly line: number | null
  /** The end of a sentence about the template. */
  readonly text: string
  /** Whether the template is valid and only this engine lacks a feature. */
  readonly isGap: boolean
}

/** Creates a fault. */
export function templateFault(line: number | null, text: string, isGap = false): TemplateFault {
  return { line, text, isGap }
}

/** Formats a fault with its line, as the end of a sentence. */
export function formatTemplateFault({ line, text }: TemplateFault): string {
  return line === null ? text : `${text} (line ${line})`
}

/** Creates a `template_error` from a fault. */
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
  /** Whether the template is valid and only this engine lacks a feature. */
  readonly isGap: boolean

  constructor(message: string, isGap = false) {
    super(message)
    this.isGap = isGap
  }
}
