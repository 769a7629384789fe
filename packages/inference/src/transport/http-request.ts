/** A request as it is dispatched. */
export interface HttpRequest {
  readonly method: "GET" | "POST" | "HEAD"
  readonly origin: string
  /** With its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** An answer with its body read to the end. */
export interface WholeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/** Names in lower case; several values of one are joined. */
export function flatHeaders(headers: NodeJS.Dict<string | string[]>): Readonly<Record<string, string>> {
  const flat: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) flat[name] = typeof value === "string" ? value : value.join(", ")
  }
  return flat
}
