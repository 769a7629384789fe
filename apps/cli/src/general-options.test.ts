import { startLoopbackServer, verifies } from "@assay/testkit"
import type { Command } from "commander"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { buildProgram } from "./program.ts"
import { runCommand } from "./testing/run-command.ts"

const asked: string[] = []
let server: Awaited<ReturnType<typeof startLoopbackServer>>
beforeAll(async () => {
  server = await startLoopbackServer((request, response) => {
    asked.push(request.url)
    response.writeHead(404).end(JSON.stringify({ detail: "Nothing is here.", code: "not_found" }))
  })
})
afterAll(() => server.close())

/** Commands that never ask a server. */
const LOCAL = [
  "serve",
  "worker",
  "migrate",
  "config",
  "backup",
  "restore",
  "secret discard-unreadable",
  "docs",
  "schema",
  "fake-endpoint",
  "skills install",
  "release check",
  "release run",
  "verify",
  "eval arena",
  "eval show",
  "import harbor",
  "import promptfoo",
  "import traces",
  "import inspect",
  "import lm-eval",
]
const ELSEWHERE = { ASSAY_URL: "http://127.0.0.1:9", ASSAY_TOKEN: "s3cr3t" }

function leaves(command: Command, above = ""): readonly { readonly name: string; readonly command: Command }[] {
  if (command.commands.length === 0) return [{ name: above, command }]
  return command.commands.flatMap((child) => leaves(child, `${above} ${child.name()}`.trim()))
}

describe("--server", () => {
  it("belongs to every command but those that never ask a server", verifies("cli.server"), () => {
    const all = leaves(buildProgram(() => async () => undefined))
    const without = all.filter(({ command }) => !command.options.some(({ long }) => long === "--server"))
    expect(all.length).toBeGreaterThan(60)
    expect(without.map(({ name }) => name).toSorted()).toEqual(LOCAL.toSorted())
  })

  it.each([
    ["workspace", "list"],
    ["eval", "status", "eval-3QJmnh8Y1kGqvS4cQKFJ2b"],
    ["ls", "default/reviews"],
    ["token", "list"],
  ])("takes precedence over ASSAY_URL in `%s %s`", verifies("cli.server"), async (...words) => {
    const before = asked.length
    const { exitCode, stderr } = await runCommand([...words, "--server", server.url], { env: ELSEWHERE })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Nothing is here.")])
    expect(asked.length).toBe(before + 1)
  })
})

describe("--verbose", () => {
  it("prints requests and the causes of an error, and no token", verifies("cli.quiet"), async () => {
    const words = ["workspace", "list", "--server", server.url, "-v"]
    const { stderr } = await runCommand(words, { env: ELSEWHERE, now: () => 0 })
    expect(stderr).toMatch(new RegExp(`^GET ${server.url}/\\S+  404, 0 ms\\nerror: Nothing is here\\.`))
    expect(stderr).not.toContain("s3cr3t")
    const refused = await runCommand(["workspace", "list", "-v"], { env: ELSEWHERE, now: () => 0 })
    expect(refused.stderr).toMatch(/^GET http:\/\/127\.0\.0\.1:9\/.*\nerror: No Assay server [^]*\ncaused by: .+\n$/)
  })
})

describe("an option before the command", () => {
  it.each([
    [["--server", "URL", "workspace", "list"]],
    [["-q", "--server=URL", "workspace", "list"]],
    [["--json", "--server", "URL", "eval", "status", "eval-3QJmnh8Y1kGqvS4cQKFJ2b"]],
  ])("works as after it: %j", verifies("cli.server"), async (words) => {
    const given = words.map((word) => word.replace("URL", server.url))
    const { exitCode, stderr } = await runCommand(given, { env: ELSEWHERE })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Nothing is here.")])
  })

  it("is an error without a command", async () => {
    expect((await runCommand(["-q"])).exitCode).toBe(2)
  })
})

describe("--quiet", () => {
  it("drops notes and keeps errors and questions", verifies("cli.quiet"), async () => {
    const old = ["ls", "default/reviews", "--server", server.url]
    const { stderr } = await runCommand([...old, "-q"])
    expect(stderr).toContain("error: Nothing is here.")
    const rows = { input: "", cwd: import.meta.dirname }
    const noted = await runCommand(["eval", "check", "missing.yaml"], rows)
    expect(noted.stderr).toMatch(/^warning: 'eval check' is 'eval plan' now\. .*\nerror: /)
    const quiet = await runCommand(["eval", "check", "missing.yaml", "--quiet"], rows)
    expect(quiet.stderr).toMatch(/^error: /)
  })
})
