/** As much of a `Response` as the SDK reads: building a whole one costs as much as the rest of the call. */
export function sdkResponse(
  url: string,
  status: number,
  headers: Readonly<Record<string, string>>,
  content: string | AsyncIterable<Uint8Array>,
): Response {
  const response = {
    url,
    status,
    ok: status >= 200 && status < 300,
    headers: {
      get: (name: string) => headers[name.toLowerCase()] ?? null,
      has: (name: string) => Object.hasOwn(headers, name.toLowerCase()),
      entries: () => Object.entries(headers)[Symbol.iterator](),
      [Symbol.iterator]: () => Object.entries(headers)[Symbol.iterator](),
    },
    body: typeof content === "string" ? null : content,
    async text() {
      if (typeof content === "string") return content
      const pieces: Uint8Array[] = []
      for await (const piece of content) pieces.push(piece)
      return Buffer.concat(pieces).toString()
    },
  }
  return response as unknown as Response
}
