import { createHash } from "node:crypto"
import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startProcess } from "../cluster/start-process.ts"
import type { Answer, Send } from "./faults/operation.ts"

/** A server whose data folder is on a watched disk. */
export interface ServerOnDisk {
  readonly send: Send
  /** Sends requests that end without an answer after `ms`. A server waits for a disk that fails to store a commit. */
  readonly sendWithin: (ms: number) => Send
  /** Whether the process has ended by itself. */
  readonly isGone: () => boolean
  kill(): Promise<void>
  stop(): Promise<void>
}

/** Milliseconds for an answer. */
const PATIENCE_MS = 20_000

const TOKEN = "assay_disk-tests"

/** Lets the server know one token, that of an administrator. */
export function writeAdminToken(folder: string): void {
  const file = join(folder, "tokens.json")
  if (existsSync(file)) return
  const sha256 = createHash("sha256").update(TOKEN).digest("hex")
  const grants = [{ workspace: "*", role: "admin" }]
  const tokens = [{ id: "token-admin", name: "admin", sha256, grants, expires_at: null }]
  writeFileSync(file, JSON.stringify({ tokens }), { mode: 0o600 })
}

export interface StartOptions {
  /** That of a disk watches its calls, and breaks some. */
  readonly env?: Readonly<Record<string, string>>
  /** Starts the server of another checkout, which must be built. Default: of this one. */
  readonly checkout?: string | undefined
}

/** Starts the built server in a process of its own. */
export async function startOnDisk(folder: string, { env = {}, checkout }: StartOptions = {}): Promise<ServerOnDisk> {
  const server = await startProcess({ ASSAY_DATA_DIR: folder, ASSAY_AUTH: "tokens", ...env }, { checkout })
  return {
    send: sendTo(server.url, PATIENCE_MS),
    sendWithin: (ms) => sendTo(server.url, ms),
    isGone: () => server.hasEnded(),
    kill: () => server.kill(),
    stop: () => server.stop(),
  }
}

function sendTo(url: string, patienceMs: number): Send {
  return async (method, path, { json, body, headers = {} } = {}): Promise<Answer> => {
    const type = json === undefined ? "application/octet-stream" : "application/json"
    const sent = json === undefined ? body : JSON.stringify(json)
    try {
      const response = await fetch(`${url}${path}`, {
        method,
        signal: AbortSignal.timeout(patienceMs),
        ...(sent === undefined ? {} : { body: sent }),
        headers: {
          authorization: `Bearer ${TOKEN}`,
          ...(sent === undefined ? {} : { "content-type": type }),
          ...headers,
        },
      })
      const text = await response.text()
      const isJson = response.headers.get("content-type")?.includes("json") === true
      return {
        status: response.status,
        text,
        json: isJson && text !== "" ? JSON.parse(text) : undefined,
        headers: response.headers,
      }
    } catch (error) {
      return { status: 0, text: String(error), json: undefined, headers: new Headers() }
    }
  }
}
