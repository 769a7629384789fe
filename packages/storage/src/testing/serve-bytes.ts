import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { Agent } from "undici"
import { onTestFinished } from "vitest"
import { createTransport } from "@assay/http/node"
import { sendWithRetry } from "../remote/send-with-retry.ts"
import type { RemoteContext } from "../remote/remote-context.ts"
import {
  openRemoteRead,
  type RemoteAnswer,
  type RemoteReadOptions,
  type RemoteSource,
} from "../remote/open-remote-read.ts"
import { remoteError } from "../remote/remote-error.ts"

/** Answers request number `index` (from 0) incorrectly. Returns false to leave the correct answer to the server. */
export type Misbehave = (request: IncomingMessage, response: ServerResponse, index: number) => boolean

/**
 * Serves the bytes of one file on a loopback server, and opens remote reads of them.
 * @param silenceMs maximum number of milliseconds that the server may be silent. The default is enough for a busy machine.
 */
export async function serveBytes(bytes: Buffer, misbehave: Misbehave = () => false, silenceMs = 30_000) {
  const asked: string[] = []
  const waits: number[] = []
  const server = createServer((request, response) => {
    asked.push(request.headers.range ?? "all")
    response.setHeader("etag", '"one"')
    if (!misbehave(request, response, asked.length - 1)) answerRange(bytes, request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const dispatcher = new Agent()
  onTestFinished(async () => {
    await dispatcher.destroy()
    server.closeAllConnections()
    server.close()
  })
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const remote: RemoteContext = {
    transport: createTransport({ dispatcher, firstByteMs: silenceMs, idleMs: silenceMs }),
    now: () => 0,
    random: () => 0,
    sleep: async (milliseconds, signal) => {
      waits.push(milliseconds)
      await sleep(1, undefined, { signal })
    },
  }
  const target = { storage: "hub", location: "the test", operation: "read", path: "file" } as const
  const source: RemoteSource = {
    versionOf: (headers) => headers["etag"],
    async ask(range, _first, signal) {
      const headers: Record<string, string> = range === undefined ? {} : { range }
      const { status, ...answer } = await sendWithRetry(
        remote,
        () => ({ method: "GET", origin, path: "/file", headers }),
        {
          signal,
        },
      )
      if (status === 200 || status === 206 || status === 416) return { ...answer, status } satisfies RemoteAnswer
      throw remoteError("upstream_failed", target, `it answered ${status}`)
    },
  }
  return {
    asked,
    waits,
    openSockets: () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count))),
    read: (options: Partial<RemoteReadOptions> = {}) =>
      openRemoteRead({ remote, source, target, chunkSize: 1000, partSize: 4000, parallel: 4, ...options }),
  }
}

/** Answers like a correct server. */
export function answerRange(bytes: Buffer, request: IncomingMessage, response: ServerResponse): void {
  const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? []
  if (from === undefined || to === undefined) {
    response.setHeader("content-length", bytes.length)
    response.end(bytes)
    return
  }
  const start = from === "" ? Math.max(0, bytes.length - Number(to)) : Number(from)
  const end = from === "" || to === "" ? bytes.length - 1 : Math.min(Number(to), bytes.length - 1)
  if (start > end) {
    response.writeHead(416, { "content-range": `bytes */${bytes.length}` }).end()
    return
  }
  const part = bytes.subarray(start, end + 1)
  response.writeHead(206, {
    "content-range": `bytes ${start}-${end}/${bytes.length}`,
    "content-length": part.length,
  })
  response.end(part)
}
