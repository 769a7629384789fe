import { randomBytes } from "node:crypto"
import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises"
import { request as httpRequest, type IncomingHttpHeaders } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pino } from "pino"
import { inject } from "vitest"
import { serve, type RunningServer } from "../serve.ts"
import type { ServerContext } from "../server-context.ts"
import { loadSettings } from "../settings/load-settings.ts"
import { createCompilers } from "../validation/compilers.ts"

/** A response, with its body as bytes, as text and as JSON. */
export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  /** The body as JSON. */
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read any field of a response and then assert on it
  readonly json: any
}

export interface Call {
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface TestServer extends AsyncDisposable {
  readonly url: string
  readonly folder: string
  readonly running: RunningServer
  /** Returns the log so far. */
  log(): string
  /** Sends one request, with its path unchanged. */
  call(method: string, path: string, options?: Call): Promise<Answer>
}

export const FILES = "/apis/files/v2/workspaces"
export const SECRETS = "/apis/secrets/v2/workspaces"
export const ENTITIES = "/apis/entities/v2/workspaces"

/** Sends one request with its path unchanged. (`fetch` would resolve `..`.) */
export function send(url: string, method: string, path: string, { json, body, headers }: Call = {}): Promise<Answer> {
  const { hostname, port } = new URL(url)
  const payload = json === undefined ? body : JSON.stringify(json)
  const own: Record<string, string> = json === undefined ? {} : { "content-type": "application/json" }
  if (payload !== undefined && headers?.["transfer-encoding"] === undefined) {
    own["content-length"] = String(Buffer.byteLength(payload))
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { hostname, port, method, path, agent: false, headers: { ...own, ...headers } },
      (response) => {
        const parts: Buffer[] = []
        response.on("data", (part: Buffer) => parts.push(part))
        response.on("error", reject)
        response.on("end", () => {
          const bytes = Buffer.concat(parts)
          const text = bytes.toString("utf8")
          const { statusCode, headers: got } = response
          const isWhole = statusCode !== 206 && got["content-encoding"] === undefined && text !== ""
          const isJson = isWhole && got["content-type"]?.startsWith("application/json") === true
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text,
            json: isJson ? JSON.parse(text) : undefined,
          })
        })
      },
    )
    request.on("error", reject)
    request.end(payload)
  })
}

/** All servers of a worker have the same schemas. To compile them for each server takes a fifth of the time of these tests. */
const COMPILERS = createCompilers()

/** Creates a folder for a server, with a database that has its tables already. */
async function createHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "assay-server-"))
  await mkdir(join(home, "data"))
  await copyFile(inject("newDatabase"), join(home, "data", "registry.db"))
  return home
}

/** Starts a real server on a free port with its own data folder. `env` contains settings by their names in the environment. */
export async function startTestServer(
  env: Readonly<Record<string, string>> = {},
  folder?: string,
  limits: Pick<ServerContext, "backendDeadlineMs" | "createCompilers" | "consoleFolder" | "schemaLimits"> = {},
): Promise<TestServer> {
  const home = folder ?? (await createHome())
  const remove = async () => (folder === undefined ? rm(home, { recursive: true, force: true }) : undefined)
  try {
    return await startIn(home, env, limits, remove)
  } catch (error) {
    await remove()
    throw error
  }
}

async function startIn(
  home: string,
  env: Readonly<Record<string, string>>,
  limits: object,
  remove: () => Promise<void>,
): Promise<TestServer> {
  const { settings } = loadSettings({ env: { PORT: "0", ASSAY_DATA_DIR: join(home, "data"), ...env }, cwd: home })
  const lines: string[] = []
  const logger = pino({ level: "debug" }, { write: (line: string) => void lines.push(line) })
  const running = await serve({
    settings,
    cwd: home,
    now: Date.now,
    randomBytes,
    logger,
    createCompilers: () => COMPILERS,
    // Reading the built console takes a tenth of the start. The tests of the console read it.
    consoleFolder: "/nowhere",
    ...limits,
  })
  return {
    url: running.url,
    folder: home,
    running,
    log: () => lines.join(""),
    call: (method, path, options) => send(running.url, method, path, options),
    async [Symbol.asyncDispose]() {
      await running.close()
      await remove()
    },
  }
}
