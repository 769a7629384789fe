import { startLoopbackServer, verifies } from "@assay/testkit"
import { expect, it, onTestFinished } from "vitest"
import { loadSettings } from "../settings/load-settings.ts"
import { openOutbound } from "./open-outbound.ts"

it(
  "An unlisted name from a user can only resolve to addresses in listed networks",
  verifies("hosts.network-names", "hosts.dialled"),
  async () => {
    const server = await startLoopbackServer((_request, response) => void response.end("inside"))
    onTestFinished(() => server.close())
    const { port } = new URL(server.url)
    const addresses: Record<string, string> = { "inside.example": "127.0.0.1", "public.example": "93.184.215.14" }
    const env = { ASSAY_ALLOWED_HOSTS: "127.0.0.0/8" }
    const outbound = openOutbound(loadSettings({ env, cwd: import.meta.dirname }).settings, {
      lookup: (name, _options, callback) => callback(null, [{ address: addresses[name] ?? "0.0.0.0", family: 4 }]),
    })
    onTestFinished(() => outbound.close())
    const ask = async (hostname: string, isNamed: boolean) => {
      const origin = `http://${hostname}:${port}`
      outbound.checkEndpoint(origin)
      const { status, body } = await outbound.transport({ method: "GET", origin, path: "/", headers: {}, isNamed })
      body.destroy()
      return status
    }
    expect(await ask("inside.example", true)).toBe(200)
    expect(await ask("inside.example", false)).toBe(200)
    await expect(ask("public.example", true)).rejects.toMatchObject({
      code: "host_not_allowed",
      message: expect.stringContaining("its address 93.184.215.14 is in no network on it"),
    })
    expect(server.requests).toHaveLength(2)
  },
)
