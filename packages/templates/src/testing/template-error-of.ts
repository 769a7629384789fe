import { isAssayError, type AssayError } from "@assay/schemas"

/** Returns the `template_error` that `work` ends with. */
export function templateErrorOf(work: () => unknown): AssayError {
  try {
    work()
  } catch (error) {
    if (isAssayError(error, "template_error")) return error
    throw error
  }
  throw new Error("No error was thrown.")
}
