import { createServer, type AddressInfo, type Server } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { createTestCertificates, verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { createTransport } from "../send/create-transport.ts"
import { networkReason } from "./network-reason.ts"

async function reasonOf(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => void server.close())
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`
  const response = createTransport()({ method: "GET", origin, path: "/", headers: {} })
  return response.then(() => "it responded", networkReason)
}

it("networkReason names a server that speaks only TLS before 1.2", verifies("storage.tls-reasons"), async () => {
  const versions = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const
  const server = createTlsServer({ ...createTestCertificates().selfSigned, ...versions })
  expect(await reasonOf(server)).toMatch(/^it speaks only versions of TLS before 1\.2.*let it speak TLS 1\.2 or 1\.3/)
})

it(
  "networkReason names a reset during the TLS handshake, and an untrusted certificate of a server that completes it",
  verifies("storage.tls-reasons"),
  async () => {
    const resetting = createServer((socket) =>
      socket.on("error", () => {}).once("data", () => socket.resetAndDestroy()),
    )
    expect(await reasonOf(resetting)).toMatch(/^it reset the connection during the TLS handshake/)
    const untrusted = createTlsServer(createTestCertificates().selfSigned)
    expect(await reasonOf(untrusted)).toMatch(/^its certificate is self-signed/)
  },
)
