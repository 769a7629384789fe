/** The completion in what the SDK gave back, or undefined where that is none. JSON under another content type counts. */
export function completionBody(answer: unknown): Readonly<Record<string, unknown>> | undefined {
  const body = typeof answer === "string" ? parsed(answer) : answer
  if (typeof body !== "object" || body === null) return undefined
  const { choices } = body as { choices?: unknown }
  return Array.isArray(choices) && choices.length > 0 ? (body as Record<string, unknown>) : undefined
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
