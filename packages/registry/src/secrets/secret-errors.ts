import { AssayError } from "@assay/schemas"

/** Whether it is missing or the caller may not use it is not told. */
export function secretNotReadable(workspace: string, name: string, cause?: unknown): AssayError {
  const message = `Secret '${workspace}/${name}' can't be read: create it, or name one that you may use.`
  return new AssayError("secret_not_readable", message, { context: { workspace, secret: name }, cause })
}
