import { createHash, createHmac } from "node:crypto"
import type { Answer, Call, TestServer } from "./start-test-server.ts"

/** An access key and its secret, as the server returns them. */
export interface TestAccessKey {
  readonly access_key: string
  readonly secret: string
}

export interface SignOptions extends TestAccessKey {
  readonly host: string
  readonly now?: number
  /** Default: all headers that are sent. */
  readonly signedHeaders?: readonly string[]
}

const sha256 = (text: string | Uint8Array) => createHash("sha256").update(text).digest("hex")
const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`)

export interface Signed {
  readonly headers: Readonly<Record<string, string>>
  readonly key: Buffer
  readonly scope: string
  readonly time: string
  readonly signature: string
}

/** Signs a request by hand, so that a test can spoil any part of it. */
export function signS3(
  method: string,
  path: string,
  { body = "", headers = {} }: Call,
  { access_key, secret, host, now = Date.now(), signedHeaders }: SignOptions,
): Signed {
  const time = `${new Date(now).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`
  const scope = `${time.slice(0, 8)}/us-east-1/s3/aws4_request`
  const sent: Record<string, string> = { host, "x-amz-content-sha256": sha256(body), "x-amz-date": time, ...headers }
  const names = (signedHeaders ?? Object.keys(sent)).toSorted()
  const [rawPath = "", query = ""] = path.split("?")
  const pairs = query
    .split("&")
    .filter((pair) => pair !== "")
    .map((pair) => (pair.includes("=") ? pair : `${pair}=`))
    .toSorted()
  const canonical = [
    method,
    rawPath
      .split("/")
      .map((part) => encode(decodeURIComponent(part)))
      .join("/"),
    pairs.join("&"),
    names.map((name) => `${name}:${sent[name]?.trim()}\n`).join(""),
    names.join(";"),
    sent["x-amz-content-sha256"],
  ].join("\n")
  const key = [scope.slice(0, 8), "us-east-1", "s3", "aws4_request"].reduce<string | Buffer>(
    hmac,
    `AWS4${secret}`,
  ) as Buffer
  const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n")).toString("hex")
  const authorization = `AWS4-HMAC-SHA256 Credential=${access_key}/${scope}, SignedHeaders=${names.join(";")}, Signature=${signature}`
  return { headers: { ...sent, authorization }, key, scope, time, signature }
}

/** Sends a signed request. */
export function callS3(
  { server, key }: { readonly server: TestServer; readonly key: TestAccessKey },
  method: string,
  path: string,
  call: Call = {},
): Promise<Answer> {
  const host = new URL(server.url).host
  return server.call(method, path, { ...call, headers: signS3(method, path, call, { ...key, host }).headers })
}

/** Returns a body in signed chunks of `size` bytes, with the headers that announce it. */
export function chunkedBody(
  text: string,
  size: number,
  { key, scope, time, signature }: Omit<Signed, "headers">,
): string {
  const parts: string[] = []
  let last = signature
  for (let at = 0; ; at += size) {
    const part = text.slice(at, at + size)
    const lines = ["AWS4-HMAC-SHA256-PAYLOAD", time, scope, last, sha256(""), sha256(part)]
    last = hmac(key, lines.join("\n")).toString("hex")
    parts.push(`${part.length.toString(16)};chunk-signature=${last}\r\n${part}\r\n`)
    if (part === "") return parts.join("")
  }
}
