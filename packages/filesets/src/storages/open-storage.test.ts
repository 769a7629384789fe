import { setTimeout } from "node:timers/promises"
import { createTransport, parseFilePath, type HttpRequest, type Transport } from "@assay/storage"
import { startFakeHub, startLoopbackServer, verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { openAt } from "./open-storage.ts"

it(
  "openAt marks requests to the host that a user named, and not those to redirects of a backend",
  verifies("hosts.network-names"),
  async () => {
    const hub = await startFakeHub({ repositories: [{ id: "team/open", files: { "a.txt": Buffer.from("inside") } }] })
    onTestFinished(() => hub.close())
    const moved = await startLoopbackServer((_request, response) => {
      response.writeHead(302, { location: `${hub.url}${_request.url}` }).end()
    })
    onTestFinished(() => moved.close())
    const sent: HttpRequest[] = []
    const send = createTransport()
    const transport: Transport = (request, signal) => {
      sent.push(request)
      return send(request, signal)
    }
    const remote = {
      transport,
      now: Date.now,
      random: Math.random,
      sleep: (milliseconds: number) => setTimeout(milliseconds),
      resolveSecret: () => Promise.reject(new Error("No secret is named.")),
    }
    const configuration = {
      type: "hub",
      repo_type: "model",
      repo_id: "team/open",
      endpoint: moved.url,
      revision: "main",
      read_chunk_size: 1000,
    } as const
    const location = { configuration, workspace: "default" }
    const { storage } = await openAt({ remote, checkEndpoint() {} }, { ...location, isOwn: false })
    expect((await storage.stat(parseFilePath("a.txt"))).size).toBe(6)
    const marks = (origin: string) => new Set(sent.filter((one) => one.origin === origin).map((one) => one.isNamed))
    expect(marks(moved.url)).toEqual(new Set([true]))
    expect(marks(hub.url)).toEqual(new Set([undefined]))

    sent.length = 0
    await openAt({ remote, checkEndpoint() {} }, { ...location, isOwn: true })
    expect(marks(moved.url)).toEqual(new Set([undefined]))
  },
)
