import { AssayError } from "@assay/schemas"

/** What is wrong with a GGUF file: the end of a sentence about it. Told apart from other errors by `context.gguf`. */
export function ggufFault(text: string): AssayError {
  return new AssayError("broken_checkpoint", `The GGUF file ${text}.`, { context: { gguf: text } })
}

/** The end of the sentence that `error` was made with; undefined for any other error. */
export function ggufFaultOf(error: unknown): string | undefined {
  if (!(error instanceof AssayError)) return undefined
  const text = error.context["gguf"]
  return typeof text === "string" ? text : undefined
}
