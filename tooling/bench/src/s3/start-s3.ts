import { randomBytes, randomUUID } from "node:crypto"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { createToken } from "@assay/server"
import { startAssay } from "../assay-server.ts"
import type { ChildServer } from "../child-server.ts"
import { type AccessKey, createPresign } from "./presign.ts"

export interface S3Server {
  readonly server: ChildServer
  /** Returns the path of a presigned URL. */
  readonly presign: (method: "GET" | "PUT", path: string) => string
}

/** Starts a server with tokens, on a data folder, and makes an access key. */
export async function startS3(dataFolder: string): Promise<S3Server> {
  await mkdir(dataFolder, { recursive: true })
  const grants = [{ workspace: "*", role: "admin" }] as const
  const file = join(dataFolder, "tokens.json")
  const newId = (prefix: string) => `${prefix}-${randomUUID()}`
  const { token } = await createToken({ file, now: Date.now, newId, randomBytes }, { name: "bench", grants })
  const server = await startAssay(dataFolder, { ASSAY_AUTH: "tokens" })
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const body = JSON.stringify({ name: "s3", grants, s3: true })
  const response = await fetch(`${server.url}/v1/tokens`, { method: "POST", headers, body })
  return { server, presign: createPresign(server.url, (await response.json()) as AccessKey) }
}
