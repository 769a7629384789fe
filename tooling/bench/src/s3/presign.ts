import { createHash, createHmac } from "node:crypto"

/** An access key of a server. */
export interface AccessKey {
  readonly access_key: string
  readonly secret: string
}

const REGION = "us-east-1"

/** Returns a function that makes presigned URLs: paths with a signature, which are valid for an hour. */
export function createPresign(server: string, { access_key, secret }: AccessKey) {
  const time = `${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`
  const scope = `${time.slice(0, 8)}/${REGION}/s3/aws4_request`
  const hmac = (key: string | Buffer, text: string) => createHmac("sha256", key).update(text).digest()
  const key = scope.split("/").reduce<string | Buffer>(hmac, `AWS4${secret}`)
  const { host } = new URL(server)
  const query = [
    "X-Amz-Algorithm=AWS4-HMAC-SHA256",
    `X-Amz-Credential=${encodeURIComponent(`${access_key}/${scope}`)}`,
    `X-Amz-Date=${time}`,
    "X-Amz-Expires=3600",
    "X-Amz-SignedHeaders=host",
  ].join("&")
  return (method: "GET" | "PUT", path: string): string => {
    const canonical = [method, path, query, `host:${host}\n`, "host", "UNSIGNED-PAYLOAD"].join("\n")
    const hash = createHash("sha256").update(canonical).digest("hex")
    const signature = hmac(key, ["AWS4-HMAC-SHA256", time, scope, hash].join("\n")).toString("hex")
    return `${path}?${query}&X-Amz-Signature=${signature}`
  }
}
