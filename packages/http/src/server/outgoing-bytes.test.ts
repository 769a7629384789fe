import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import { connect, type AddressInfo } from "node:net"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { createOutgoingBytes } from "./outgoing-bytes.ts"

const MIB = 1_048_576

describe("the counter of outgoing bytes", () => {
  async function stalledResponse(): Promise<ServerResponse> {
    const server = createServer()
    onTestFinished(() => void server.close())
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo
    const asked = once(server, "request")
    const client = connect(port, "127.0.0.1")
    onTestFinished(() => void client.destroy())
    client.pause()
    client.write("GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n")
    const [, response] = (await asked) as [unknown, ServerResponse]
    return response
  }
  const refused = expect.objectContaining({ code: "unavailable" })

  it("ends the slowest responses while there is no room", verifies("limits.outgoing"), async () => {
    let time = 0
    const outgoing = createOutgoingBytes({ maxBytes: 20 * MIB, setting: "MAX", now: () => time })
    const [first, second, third] = [await stalledResponse(), await stalledResponse(), await stalledResponse()]
    outgoing.hold(first, 8 * MIB)
    time = 100_000
    outgoing.hold(second, 8 * MIB)
    expect(() => outgoing.hold(third, 8 * MIB)).toThrow(refused)
    expect([first.destroyed, second.destroyed]).toEqual([false, false])
    // 30 s plus 128 s for 8 MiB at 64 KiB/s.
    time = 158_001
    outgoing.hold(third, 8 * MIB)
    expect([first.destroyed, second.destroyed]).toEqual([true, false])
    await once(first, "close")
    expect(() => outgoing.hold(first, 8 * MIB)).not.toThrow()
    expect(() => outgoing.checkRoom()).not.toThrow()
  })

  it("accepts one response above the limit, and required ones", verifies("limits.outgoing"), async () => {
    const outgoing = createOutgoingBytes({ maxBytes: MIB, setting: "MAX", now: () => 0 })
    const [first, second] = [await stalledResponse(), await stalledResponse()]
    outgoing.hold(first, 8 * MIB)
    expect(() => outgoing.hold(second, 8 * MIB)).toThrow(refused)
    expect(() => outgoing.checkRoom()).toThrow(refused)
    outgoing.hold(second, 8 * MIB, { isRequired: true })
    first.destroy()
    second.destroy()
    await Promise.all([once(first, "close"), once(second, "close")])
    expect(() => outgoing.checkRoom()).not.toThrow()
  })
})
