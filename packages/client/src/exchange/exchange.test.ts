import { inspect } from "node:util"
import { type LoopbackHandler, type LoopbackServer, startLoopbackServer, verifies } from "@assay/testkit"
import { afterEach, describe, expect, it } from "vitest"
import type { ClientOptions } from "../client-options.ts"
import { createClient, type Client } from "../create-client.ts"

const servers: LoopbackServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(handle: LoopbackHandler): Promise<LoopbackServer> {
  const server = await startLoopbackServer(handle)
  servers.push(server)
  return server
}

interface Connected {
  readonly client: Client
  readonly server: LoopbackServer
  /** The waits between attempts in milliseconds. */
  readonly waits: number[]
}

async function connect(handle: LoopbackHandler, options: Partial<ClientOptions> = {}): Promise<Connected> {
  const server = await serve(handle)
  const waits: number[] = []
  const sleep = async (milliseconds: number): Promise<void> => void waits.push(milliseconds)
  const client = createClient({ url: server.url, fetch, retry: { sleep, random: () => 0.5 }, ...options })
  return { client, server, waits }
}

/** Returns the responses in turn, and the last one for all further requests. */
function inTurn(...answers: readonly LoopbackHandler[]): LoopbackHandler {
  let turn = 0
  return (request, response) => {
    const answer = answers[Math.min(turn, answers.length - 1)]
    turn += 1
    return answer?.(request, response)
  }
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): LoopbackHandler {
  return (_request, response) => {
    response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body))
  }
}

function hangUp({ raw }: Parameters<LoopbackHandler>[0]): void {
  raw.socket.destroy()
}

const workspace = { id: "w1", name: "default", description: "", created_at: "", updated_at: "" }

describe("a call", () => {
  it("sends the token, encodes names and returns the record", async () => {
    const { client, server } = await connect(json(200, workspace), { token: "t0k" })
    await expect(client.workspaces.get("a b/c")).resolves.toEqual(workspace)
    expect(server.requests[0]).toMatchObject({ method: "GET", url: "/apis/entities/v2/workspaces/a%20b%2Fc" })
    expect(server.requests[0]?.headers.authorization).toBe("Bearer t0k")
  })

  it("keeps the path of the server's address", async () => {
    const server = await serve(json(200, workspace))
    await createClient({ url: `${server.url}/assay/`, fetch }).workspaces.get("default")
    expect(server.requests[0]?.url).toBe("/assay/apis/entities/v2/workspaces/default")
  })

  it("refuses an invalid address", () => {
    expect(() => createClient({ url: "localhost:8080", fetch })).toThrow(
      /'localhost:8080' is not the address of a server/,
    )
  })

  it(
    "refuses an address with a user name or a password, and shows neither of them",
    verifies("urls.no-user"),
    async () => {
      const create = () => createClient({ url: "http://me:hunter2@127.0.0.1:8080", fetch })
      expect(create).toThrow("'http://***@127.0.0.1:8080' contains a user name or a password")
      expect(create).toThrow("ASSAY_TOKEN")
      const location = "http://me:hunter2@elsewhere/"
      const { client } = await connect((_request, response) => void response.writeHead(302, { location }).end())
      await expect(client.workspaces.get("default")).rejects.toThrow("redirects to http://***@elsewhere/")
    },
  )

  it("rejects with the reason of the signal that aborts it", async () => {
    const { client } = await connect(() => undefined)
    const stop = new AbortController()
    const call = client.workspaces.get("default", { signal: stop.signal })
    stop.abort(new Error("enough"))
    await expect(call).rejects.toThrow("enough")
  })

  it("fails after the timeout if the server is silent", async () => {
    const { client, server } = await connect(() => undefined, { timeout: 30 })
    await expect(client.workspaces.get("default")).rejects.toMatchObject({
      code: "server_unreachable",
      message: `No answer came from ${server.url}: it was silent for too long.`,
    })
  })
})

describe("a failed call", () => {
  it("becomes the error in the body", async () => {
    const { client } = await connect(json(404, { detail: "Workspace 'x' not found.", code: "not_found" }))
    await expect(client.workspaces.get("x")).rejects.toMatchObject({
      name: "AssayError",
      code: "not_found",
      message: "Workspace 'x' not found.",
      context: { status: 404, method: "GET" },
    })
  })

  it("keeps the issues of a 422", async () => {
    const detail = [{ loc: ["body", "name"], msg: "must be a string", type: "string_type" }]
    const { client } = await connect(json(422, { detail }))
    await expect(client.workspaces.create({ name: "x" })).rejects.toMatchObject({
      code: "invalid_request",
      message: "body.name: must be a string",
      issues: detail,
    })
  })

  it.each([
    ["an unknown code", json(418, { detail: "short and stout", code: "teapot" })],
    ["no code", json(404, { detail: "Not Found" })],
    ["HTML", (_q: unknown, r: Parameters<LoopbackHandler>[1]) => void r.writeHead(502).end("<html>Bad Gateway</html>")],
    [
      "a body without an end",
      (_q: unknown, r: Parameters<LoopbackHandler>[1]) => void r.writeHead(500).end("x".repeat(1e6)),
    ],
  ])("with %s becomes bad_answer", async (_name, handle) => {
    const { client } = await connect(handle)
    const failure = await client.workspaces.get("x").catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: "bad_answer" })
    expect(String(failure).length).toBeLessThan(500)
  })

  it("names the address that a redirect leads to and does not follow it", async () => {
    const { client, server } = await connect((_request, response) => {
      response.writeHead(308, { location: "https://elsewhere.example/" }).end()
    })
    await expect(client.workspaces.get("x")).rejects.toThrow(/redirects to https:\/\/elsewhere\.example\//)
    expect(server.requests).toHaveLength(1)
  })

  it.each([
    ["HTML", "<html>Welcome</html>"],
    ["a list", "[]"],
    ["nothing", ""],
  ])("is also a success that contains %s", async (_name, body) => {
    const { client } = await connect((_request, response) => void response.end(body))
    await expect(client.workspaces.get("x")).rejects.toMatchObject({ code: "bad_answer" })
  })

  it("names the address if no server listens there", async () => {
    const server = await startLoopbackServer(() => undefined)
    await server.close()
    await expect(createClient({ url: server.url, fetch }).workspaces.get("x")).rejects.toMatchObject({
      code: "server_unreachable",
      message: `No Assay server answers at ${server.url}: the connection was refused.`,
    })
  })

  it("never shows the token", async () => {
    const { client } = await connect(json(500, { detail: "broken" }), { token: "s3cr3t-t0ken" })
    const failure: unknown = await client.workspaces.get("x").catch((error: unknown) => error)
    const shown = inspect(failure, { depth: null, showHidden: true })
    expect(shown).toContain("bad_answer")
    expect(shown).not.toContain("s3cr3t-t0ken")
  })
})

describe("a repetition", () => {
  const busy = { detail: "Busy.", code: "unavailable" }

  it.each([429, 503])("follows status %i after the wait that Retry-After asks for", async (status) => {
    const { client, server, waits } = await connect(
      inTurn(json(status, busy, { "retry-after": "2" }), json(200, workspace)),
    )
    await expect(client.workspaces.get("default")).resolves.toEqual(workspace)
    expect(server.requests).toHaveLength(2)
    expect(waits).toEqual([2150])
  })

  it("compares a Retry-After date with the server's own clock", async () => {
    const headers = { date: "Thu, 01 Jan 2026 00:00:00 GMT", "retry-after": "Thu, 01 Jan 2026 00:00:05 GMT" }
    const { client, waits } = await connect(inTurn(json(503, busy, headers), json(200, workspace)))
    await client.workspaces.get("default")
    expect(waits).toEqual([5150])
  })

  it("doubles its wait if the server asks for none, and ends after the limit", async () => {
    const { client, server, waits } = await connect(json(503, busy))
    await expect(client.workspaces.get("default")).rejects.toMatchObject({ code: "unavailable" })
    expect(server.requests).toHaveLength(4)
    expect(waits).toEqual([225, 450, 900])
  })

  it("does not happen when the server asks for a longer wait than the cap", async () => {
    const { client, server } = await connect(
      json(429, { detail: "Slow down.", code: "too_many_requests" }, { "retry-after": "3600" }),
    )
    await expect(client.workspaces.get("default")).rejects.toMatchObject({ code: "too_many_requests" })
    expect(server.requests).toHaveLength(1)
  })

  it("never sends a POST twice", async () => {
    const { client, server } = await connect(json(503, busy, { "retry-after": "0" }))
    await expect(client.workspaces.create({ name: "x" })).rejects.toMatchObject({ code: "unavailable" })
    expect(server.requests).toHaveLength(1)
  })

  it("follows a broken connection of a GET but not of a PUT", async () => {
    const reading = await connect(inTurn(hangUp, json(200, workspace)))
    await expect(reading.client.workspaces.get("default")).resolves.toEqual(workspace)
    const writing = await connect(hangUp)
    await expect(writing.client.files.write("w", "f", "a", "x")).rejects.toMatchObject({ code: "server_unreachable" })
    expect(writing.server.requests).toHaveLength(1)
  })
})
