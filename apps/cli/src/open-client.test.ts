import { DEFAULT_SERVER_URL } from "@assay/schemas"
import { startLoopbackServer, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { defaultWorkspace, openClient } from "./open-client.ts"
import { runCommand } from "./testing/run-command.ts"

describe("the client of a command", () => {
  it("calls the server at ASSAY_URL with ASSAY_TOKEN, and uses ASSAY_WORKSPACE", verifies("settings.cli"), async () => {
    const server = await startLoopbackServer((_request, response) => void response.end('{"data": []}'))
    const env = { ASSAY_URL: server.url, ASSAY_TOKEN: "t0k", ASSAY_WORKSPACE: "mine", NO_COLOR: "1" }
    const { exitCode } = await runCommand(["secret", "list"], { env })
    await server.close()
    expect(exitCode).toBe(0)
    const [request] = server.requests
    expect(request?.url).toMatch(/^\/apis\/secrets\/v2\/workspaces\/mine\/secrets\?/)
    expect(request?.headers.authorization).toBe("Bearer t0k")
  })

  it(
    "calls this machine without a token if no variable is set or all are empty",
    verifies("settings.cli"),
    async () => {
      expect(DEFAULT_SERVER_URL).toBe("http://127.0.0.1:8080")
      for (const env of [{}, { ASSAY_URL: "", ASSAY_TOKEN: "", ASSAY_WORKSPACE: "" }]) {
        const asked: unknown[] = []
        const fetch = async (url: string, init: { readonly headers: Readonly<Record<string, string>> }) => {
          asked.push([url, init.headers["authorization"]])
          return new Response('{"data": []}')
        }
        await runCommand(["secret", "list"], { env, fetch })
        expect(asked).toEqual([
          [`${DEFAULT_SERVER_URL}/apis/secrets/v2/workspaces/default/secrets?page=1&page_size=100`, undefined],
        ])
      }
    },
  )

  it("sends nothing before a command needs it", () => {
    const fetch = () => Promise.reject(new Error("asked"))
    const context = { env: {}, fetch, sleep: () => Promise.resolve(), random: () => 0 }
    expect(openClient(context).url).toBe(DEFAULT_SERVER_URL)
  })
})

describe("the workspace of names without a workspace", () => {
  it.each([
    [{ ASSAY_WORKSPACE: "mine" }, "mine"],
    [{}, "default"],
    [{ ASSAY_WORKSPACE: "" }, "default"],
  ])("with %j is %s", verifies("cli.address"), (env, workspace) => expect(defaultWorkspace({ env })).toBe(workspace))
})
