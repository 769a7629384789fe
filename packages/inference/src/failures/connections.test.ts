import { createServer, type AddressInfo, type Server, type Socket } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { AssayError } from "@assay/schemas"
import { createTestCertificates, startFakeInference, type TestCertificates, verifies } from "@assay/testkit"
import { Agent } from "undici"
import { beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { createInferenceClient } from "../create-inference-client.ts"
import type { ConnectionOptions, InferenceContext } from "../inference-context.ts"
import { createTestClient, failureOf, HELLO, openTestClient } from "../testing/open-test-client.ts"

let certificates: TestCertificates
beforeAll(() => {
  certificates = createTestCertificates()
})

describe("a certificate", () => {
  it.each([
    ["selfSigned", false, "self-signed", "is self-signed"],
    ["leafOnly", false, "unknown-issuer", "as `ca` of the model"],
    ["fullChain", false, "unknown-issuer", "as `ca` of the model"],
    ["missingIntermediate", true, "unknown-issuer", "send its whole chain"],
    ["expired", true, "expired", "has expired"],
    ["notYetValid", true, "not-yet-valid", "not valid yet"],
    ["wrongHost", true, "wrong-host", "issued for 'models.example'"],
    ["wrongHost", false, "unknown-issuer", "the host name is checked only then"],
  ] as const)(
    "%s, with the authority trusted: %s, is reported as %s",
    verifies("inference.tls"),
    async (kind, isTrusted, problem, said) => {
      const { client, waits } = await openTestClient({
        server: { tls: certificates[kind] },
        endpoint: isTrusted ? { ca: certificates.ca } : {},
      })
      const error = await failureOf(client.complete(HELLO))
      expect(error).toMatchObject({ code: "inference_tls", context: { tls_problem: problem } })
      expect(error.message).toContain(said)
      expect(waits).toEqual([])
    },
  )

  it.each(["leafOnly", "fullChain"] as const)(
    "of an authority that is given as `ca` is trusted: %s",
    verifies("inference.ca"),
    async (kind) => {
      const { client } = await openTestClient({
        server: { tls: certificates[kind] },
        endpoint: { ca: certificates.ca },
      })
      expect(await client.complete(HELLO)).toMatchObject({ attempts: 1 })
    },
  )

  it("that is itself given as `ca` is trusted", verifies("inference.ca"), async () => {
    const { selfSigned } = certificates
    const { client } = await openTestClient({ server: { tls: selfSigned }, endpoint: { ca: selfSigned.cert } })
    expect(await client.complete(HELLO)).toMatchObject({ attempts: 1 })
  })

  it("that can't be read is refused before anything is sent", verifies("inference.ca"), async () => {
    const { client, server } = await openTestClient({ endpoint: { ca: "no certificate" } })
    expect(await failureOf(client.complete(HELLO))).toMatchObject({ code: "inference_tls" })
    expect(server.requests).toEqual([])
  })
})

describe("the wrong protocol", () => {
  it("is named for https on a plain port", verifies("inference.tls"), async () => {
    const { client } = await openTestClient({ url: (url) => url.replace("http:", "https:") })
    const error = await failureOf(client.complete(HELLO))
    expect(error).toMatchObject({ code: "inference_tls", context: { tls_problem: "plain-http" } })
    expect(error.message).toContain("use 'http://127.0.0.1:")
  })

  it("is named for http on a TLS port", verifies("inference.tls"), async () => {
    const { client } = await openTestClient({
      server: { tls: certificates.selfSigned },
      url: (url) => url.replace("https:", "http:"),
      maxRetries: 0,
    })
    const error = await failureOf(client.complete(HELLO))
    expect(error).toMatchObject({ code: "inference_tls", context: { tls_problem: "tls-expected" } })
    expect(error.message).toContain("use 'https://127.0.0.1:")
  })
})

describe("a TLS handshake", () => {
  it.each([["TLSv1.1"], ["TLSv1"]] as const)(
    "with a server that speaks at most %s fails with that reason",
    verifies("inference.tls"),
    async (maxVersion) => {
      const options = {
        ...certificates.fullChain,
        minVersion: "TLSv1",
        maxVersion,
        ciphers: "DEFAULT@SECLEVEL=0",
      } as const
      const url = await listen(createTlsServer(options))
      const { client, waits } = createTestClient({ url, model: "chat", ca: certificates.ca })
      const error = await failureOf(client.complete(HELLO))
      expect(error).toMatchObject({ code: "inference_tls", context: { tls_problem: "old-version" } })
      expect(error.message).toMatch(/speaks only versions of TLS before 1\.2.*; let it speak TLS 1\.2 or 1\.3/)
      expect(waits).toEqual([])
    },
  )

  it.each([
    ["resets", (socket: Socket) => socket.resetAndDestroy()],
    ["closes", (socket: Socket) => socket.end()],
  ] as const)(
    "that the server %s after the ClientHello is reported as such, and retried",
    verifies("inference.tls"),
    async (_, end) => {
      const url = await listen(createServer((socket) => socket.on("error", () => {}).once("data", () => end(socket))))
      const { client, waits } = createTestClient({ url, model: "chat" })
      const error = await failureOf(client.complete(HELLO))
      expect(error).toMatchObject({ code: "inference_tls", context: { tls_problem: "handshake-reset" } })
      expect(error.message).toContain("reset the connection during the TLS handshake")
      expect(waits).toHaveLength(3)
    },
  )

  it("that succeeded before a reset is not reported as a TLS failure", verifies("inference.tls"), async () => {
    const server = createTlsServer(certificates.fullChain, (socket) => {
      socket.on("error", () => {}).once("data", () => socket.destroy())
    })
    const { client } = createTestClient({ url: await listen(server), model: "chat", ca: certificates.ca })
    expect(await failureOf(client.complete(HELLO))).toMatchObject({ code: "inference_unreachable" })
  })

  /** Returns the address of a server that is closed with the test. */
  async function listen(server: Server): Promise<string> {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    onTestFinished(() => void server.close())
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
})

describe("an endpoint that can't be reached", () => {
  it("because nothing listens is reported with host and port", verifies("inference.coded"), async () => {
    const server = await startFakeInference()
    await server.close()
    const { client, waits } = createTestClient({ url: server.url, model: "chat" })
    const error = await failureOf(client.complete(HELLO))
    expect(error).toMatchObject({ code: "inference_unreachable", context: { network_code: "ECONNREFUSED" } })
    expect(error.message).toContain(`Nothing listens at ${new URL(server.url).host}`)
    expect(waits).toHaveLength(3)
  })

  it("because the operator forbids its host is reported as such and not called again", async () => {
    const opened: ConnectionOptions[] = []
    const waits: number[] = []
    const context: InferenceContext = {
      now: () => 0,
      random: () => 0,
      sleep: async (milliseconds) => void waits.push(milliseconds),
      openDispatcher(options) {
        opened.push(options)
        const refused = new AssayError("host_not_allowed", "169.254.0.1 is not an address to be asked.")
        return new Agent({ connect: (_, callback) => callback(refused, null) })
      },
    }
    const endpoint = { url: "http://models.invalid", model: "chat", ca: "a certificate" }
    const client = createInferenceClient(endpoint, context)
    const error = await failureOf(client.complete(HELLO))
    await client.close()
    expect(error.code).toBe("inference_unreachable")
    expect(error.message).toContain("169.254.0.1 is not an address to be asked")
    expect([opened, waits]).toEqual([[{ ca: "a certificate" }], []])
  })

  it("because its URL has no scheme is reported with a URL that has one", verifies("inference.coded"), async () => {
    const { client } = createTestClient({ url: "localhost:9000/v1", model: "chat" })
    expect((await failureOf(client.complete(HELLO))).message).toContain("http://localhost:9000/v1")
  })
})

describe("an answer that is not a chat completion", () => {
  it.each([
    [{ kind: "html" }, "HTML page, which begins '<!DOCTYPE html>"],
    [{ kind: "empty" }, "empty body"],
    [{ kind: "no-choices" }, "not a chat completion"],
    [{ kind: "broken-json" }, '{"id": "chatcmpl-1"'],
    [{ kind: "not-http" }, "not HTTP"],
    [{ kind: "redirect-loop" }, "redirects in circles"],
    [{ kind: "cut", after: 10 }, "broke off"],
    [{ kind: "error-in-success" }, "Provider returned error"],
    [
      { kind: "answer", status: 302, headers: { location: "https://login.example/" }, body: "" },
      "https://login.example/",
    ],
  ] as const)("is reported with its first bytes: %j", verifies("inference.coded"), async (fault, said) => {
    const { client, server } = await openTestClient({ maxRetries: 0 })
    server.faults.add({ fault })
    const error = await failureOf(client.complete(HELLO))
    expect(error.message).toContain(said)
    expect(error.code).toBe(fault.kind === "error-in-success" ? "inference_unreachable" : "bad_response")
  })
})
