const DEEPEST = 20

/** An error with its causes, from the outside in; those of an AggregateError in their order. */
export function causeChain(error: unknown, depth = 0): readonly Error[] {
  if (!(error instanceof Error) || depth > DEEPEST) return []
  const inner = error instanceof AggregateError ? error.errors.flatMap((one) => causeChain(one, depth + 1)) : []
  return [error, ...inner, ...causeChain(error.cause, depth + 1)]
}
