import { startLoopbackServer, type LoopbackHandler } from "@assay/testkit"
import { Agent } from "undici"
import { describe, expect, it, onTestFinished } from "vitest"
import { createTransport } from "@assay/http/node"
import { readErrorText, type HttpRequest } from "@assay/http"
import type { RemoteContext } from "./remote-context.ts"
import { sendFollowing } from "./send-following.ts"
import { sendWithRetry } from "./send-with-retry.ts"

async function serve(handle: LoopbackHandler) {
  const server = await startLoopbackServer(handle)
  onTestFinished(() => server.close())
  return server
}

function remoteContext() {
  const waits: number[] = []
  const dispatcher = new Agent()
  onTestFinished(() => dispatcher.destroy())
  const remote: RemoteContext = {
    transport: createTransport({ dispatcher }),
    now: () => 0,
    random: () => 0.5,
    sleep: async (milliseconds, signal) => {
      waits.push(milliseconds)
      signal?.throwIfAborted()
    },
  }
  return { remote, waits }
}

const get = (origin: string, headers = {}): HttpRequest => ({ method: "GET", origin, path: "/a//b?c=%2f", headers })

describe("sendWithRetry", () => {
  it("repeats a request to a busy or failing server after a growing wait, and sends paths unchanged", async () => {
    const answers = [503, 500, 429, 502, 200]
    const server = await serve((_request, response) => void response.writeHead(answers.shift() ?? 599).end("body"))
    const { remote, waits } = remoteContext()
    const response = await sendWithRetry(remote, () => get(server.url))
    expect(response.status).toBe(200)
    expect(await readErrorText(response.body, 3)).toBe("bod")
    expect(waits).toEqual([75, 150, 300, 600])
    expect(server.requests.map(({ url }) => url)).toEqual(Array(5).fill("/a//b?c=%2f"))
  })

  it("returns the response of the fifth attempt, and never repeats a request after a 403", async () => {
    const server = await serve(({ url }, response) => void response.writeHead(url === "/bad" ? 403 : 503).end())
    const { remote } = remoteContext()
    expect((await sendWithRetry(remote, () => get(server.url))).status).toBe(503)
    expect(server.requests).toHaveLength(5)
    expect((await sendWithRetry(remote, () => ({ ...get(server.url), path: "/bad" }))).status).toBe(403)
    expect(server.requests).toHaveLength(6)
  })

  it.each([
    ["2", 2100],
    ["7200", 60_100],
    ["Fri, 20 Nov 2026 08:00:05 GMT", 5100],
    ["soon", 75],
  ])("waits for Retry-After '%s', at most a minute", async (value, wait) => {
    let count = 0
    const server = await serve((_request, response) => {
      const headers = { "retry-after": value, date: "Fri, 20 Nov 2026 08:00:00 GMT" }
      response.writeHead(count++ === 0 ? 503 : 200, headers).end()
    })
    const { remote, waits } = remoteContext()
    await sendWithRetry(remote, () => get(server.url))
    expect(waits).toEqual([wait])
  })

  it("says why no response arrived, and makes a new request for each attempt", async () => {
    const server = await serve(({ raw }) => void raw.socket.destroy())
    const { remote } = remoteContext()
    let made = 0
    const broken = sendWithRetry(remote, () => (made++, get(server.url)))
    await expect(broken).rejects.toThrow(`No answer came from ${server.url}: the connection broke off`)
    expect(made).toBe(5)
    await server.close()
    await expect(sendWithRetry(remote, () => get(server.url))).rejects.toThrow(/refused \(ECONNREFUSED\)/)
  })
})

describe("sendFollowing", () => {
  it("does not send Authorization to another host, and sends it to the same one", async () => {
    const other = await serve((_request, response) => void response.end("there"))
    const server = await serve(({ url }, response) => {
      const location = url === "/last" ? `${other.url}/x?signed=1` : "/last"
      response.writeHead(302, { location }).end()
    })
    const { remote } = remoteContext()
    const headers = { authorization: "Bearer abc", cookie: "a=b", range: "bytes=0-1" }
    const response = await sendFollowing(remote, () => get(server.url, headers))
    expect(await readErrorText(response.body)).toBe("there")
    expect(response.redirects.map(({ status }) => status)).toEqual([302, 302])
    expect(server.requests.at(-1)?.headers).toMatchObject({ authorization: "Bearer abc" })
    expect(other.requests[0]).toMatchObject({ url: "/x?signed=1", headers: { range: "bytes=0-1" } })
    expect(other.requests[0]?.headers).not.toHaveProperty("authorization")
    expect(other.requests[0]?.headers).not.toHaveProperty("cookie")
  })

  it.each([
    ["/again", /redirects more than 5 times/],
    ["ftp://host/", /redirects without a usable address/],
  ])("fails on a redirect to %s", async (location, message) => {
    const server = await serve((_request, response) => void response.writeHead(307, { location }).end())
    await expect(sendFollowing(remoteContext().remote, () => get(server.url))).rejects.toThrow(message)
  })
})
