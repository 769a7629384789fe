const MAX_DEPTH = 20

/** Returns an error and its causes, from the outside in. The errors of an `AggregateError` come in their order, before its cause. */
export function causeChain(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > MAX_DEPTH) return []
  const inner = error instanceof AggregateError ? error.errors.flatMap((one) => causeChain(one, depth + 1)) : []
  return [error, ...inner, ...causeChain(error.cause, depth + 1)]
}

/** Returns the outermost code in a chain of causes (of the system, TLS or the transport), with the error that has it. */
export function firstCode(error: unknown): { readonly code: string; readonly error: Error } | undefined {
  for (const one of causeChain(error)) {
    if ("code" in one && typeof one.code === "string") return { code: one.code, error: one }
  }
  return undefined
}
