import { request, type IncomingHttpHeaders, type IncomingMessage } from "node:http"

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface RawRequest {
  readonly method: string
  /** Path and query, sent as they are. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** Sends a request unchanged, which clients would not. @throws if the body of the answer is incomplete */
export async function askRaw(endpoint: string, { method, path, headers = {}, body }: RawRequest): Promise<RawAnswer> {
  const { hostname, port } = new URL(endpoint)
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, method, path, headers, agent: false }, resolve).on("error", reject).end(body)
  })
  const pieces = await answer.toArray()
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(pieces) }
}
