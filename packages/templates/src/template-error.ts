import { AssayError } from "@assay/schemas"
import { formatTemplateFault, type TemplateFault } from "./template-fault.ts"

/** The fault of a template as an error, `template_error`. */
export function templateError(fault: TemplateFault, name: string | undefined): AssayError {
  const subject = name === undefined ? "The template" : `The template '${name}'`
  const gap = fault.isGap ? "; Jinja in Python has it, the engine here does not" : ""
  const sentence = `${subject} ${formatTemplateFault({ ...fault, text: fault.text + gap })}`
  return new AssayError("template_error", `${sentence}.`, {
    context: { template: name ?? null, line: fault.line },
  })
}
