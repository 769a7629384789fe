import { AssayError, isAssayError } from "@assay/schemas"

const TLS = /CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_(?:GET|VERIFY)/

/** What kept a row from the service of a remote metric, as a coded error. */
export function remoteFailure(error: unknown, url: URL): AssayError {
  const { code, known } = rootOf(error)
  if (known !== undefined) return known
  const condition = TLS.test(code) ? "inference_tls" : "inference_unreachable"
  const place = url.origin + url.pathname
  return new AssayError(
    condition,
    `The remote metric at ${place} can't be reached (${code}); check that it runs there.`,
    { cause: error },
  )
}

/** The innermost code; an error of ours within, such as that of a forbidden host, says more than any code. */
function rootOf(error: unknown): { readonly code: string; readonly known: AssayError | undefined } {
  let code = "unknown"
  let current = error
  for (let depth = 0; depth < 8 && current instanceof Error; depth += 1) {
    if (isAssayError(current)) return { code, known: current }
    if ("code" in current && typeof current.code === "string") code = current.code
    current = current instanceof AggregateError ? current.errors[0] : current.cause
  }
  return { code, known: undefined }
}
