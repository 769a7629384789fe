import { existsSync } from "node:fs"
import { createServer } from "node:net"
import { once } from "node:events"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startAssay } from "../../testing/start-assay.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

describe("assay serve on an address that it cannot use", () => {
  it(
    "ends with exit code 2, names the port in use and suggests another",
    verifies("cli.serve.port-in-use"),
    async () => {
      using folder = makeTemporaryFolder()
      const other = createServer().listen(0, "127.0.0.1")
      await once(other, "listening")
      const address = other.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const { exitCode, stderr } = await startAssay(["serve", "--port", String(port)], { cwd: folder.path }).ended
      other.close()
      expect(stderr).toContain(`error: Port ${port} of 127.0.0.1 is in use by another program`)
      expect(stderr).toContain(`\n    assay serve --port ${port === 65_535 ? port - 1 : port + 1}\n`)
      expect(exitCode).toBe(2)
      // `assay doctor` would take it for the data of the running server.
      expect(existsSync(join(folder.path, ".assay"))).toBe(false)
    },
  )

  it("says that the machine does not have the address", async () => {
    using folder = makeTemporaryFolder()
    const words = ["serve", "--host", "192.0.2.1", "--port", "0"]
    const { exitCode, stderr } = await startAssay(words, { cwd: folder.path, env: { ASSAY_AUTH: "tokens" } }).ended
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("This machine has no address '192.0.2.1'")])
  })
})

describe("a server with tokens", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ ASSAY_AUTH: "tokens" })
  })
  afterAll(() => server.stop())

  it.each([
    [{}, "ASSAY_TOKEN is not set: set it to a token of this server."],
    [{ ASSAY_TOKEN: "assay_none" }, "The server does not know the token in ASSAY_TOKEN"],
  ])("explains a 401 by ASSAY_TOKEN, with the environment %j", verifies("cli.unauthorized"), async (env, remedy) => {
    const { exitCode, stderr } = await runCommand(["fileset", "list"], { env: { ASSAY_URL: server.url, ...env } })
    expect(exitCode).toBe(2)
    expect(stderr).toContain(remedy)
    expect(stderr).not.toContain("assay_none")
    expect(stderr).toContain("\n    assay token create ")
  })

  it("uses the token file that assay token create names, without a warning", verifies("cli.token.place"), async () => {
    const words = ["token", "create", "here", "--role", "viewer", "-w", "*"]
    const { stdout, stderr } = await runCommand(words, { cwd: server.folder })
    const data = join(server.folder, ".assay")
    expect(stdout).toMatch(/^assay_\S+\n$/)
    expect(stderr).toContain(`wrote ${join(data, "tokens.json")}, for the server with the data folder ${data}\n`)
    expect(stderr).not.toContain("warning")
  })

  it(
    "manages its tokens for an admin with --server, and lists that",
    verifies("cli.token.server", "cli.audit"),
    async () => {
      const make = ["token", "create", "root", "--role", "admin", "-w", "*"]
      const { stdout } = await runCommand(make, { cwd: server.folder })
      using elsewhere = makeTemporaryFolder()
      const run = (...words: readonly string[]) =>
        runCommand(["token", ...words, "--server", server.url], {
          cwd: elsewhere.path,
          env: { ASSAY_TOKEN: stdout.trim() },
        })
      const made = await run("create", "ci", "--role", "editor", "-w", "team", "--expires", "1h")
      expect(made.stdout).toMatch(/^assay_\S+\n$/)
      expect(made.stderr).toContain(`stored by the server at ${server.url}\n`)
      const id = /created (token-\S+): editor in team until /.exec(made.stderr)?.[1] ?? ""
      expect((await run("list")).stdout).toContain(id)
      expect((await run("revoke", id)).stdout).toBe(`revoked ${id} (ci)\n`)
      expect((await run("list")).stdout).not.toContain(id)
      expect(existsSync(join(elsewhere.path, ".assay"))).toBe(false)

      const env = { ASSAY_URL: server.url, ASSAY_TOKEN: stdout.trim() }
      const audit = (...words: readonly string[]) => runCommand(["audit", "--json", ...words], { env })
      await expect
        .poll(async () => JSON.parse((await audit("--limit", "2")).stdout).data)
        .toMatchObject([
          { token_name: "root", action: "revokeToken", name: id, status: 200 },
          { token_name: "root", action: "createToken", name: "ci", status: 201 },
        ])
      expect(JSON.parse((await audit("--action", "signIn")).stdout).data).toEqual([])
      expect((await runCommand(["audit"], { env })).stdout).toContain("revokeToken")
    },
  )
})

describe("assay token create", () => {
  it("warns if the data folder has no database", verifies("cli.token.place"), async () => {
    using folder = makeTemporaryFolder()
    const words = ["token", "create", "lost", "--role", "viewer", "-w", "*"]
    const { exitCode, stderr } = await runCommand(words, { cwd: folder.path })
    expect(exitCode).toBe(0)
    expect(stderr).toContain(`warning: there is no database in ${join(folder.path, ".assay")}`)
    expect(existsSync(join(folder.path, ".assay", "tokens.json"))).toBe(true)
    const env = { DATABASE_URL: "postgres://me@127.0.0.1:1/assay" }
    expect((await runCommand(words, { cwd: folder.path, env })).stderr).not.toContain("warning")
  })
})

describe("an argument with the name of a local file", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.stop())
  const FILES = ["labelled.csv", "data/labelled.csv", "data/deep/labelled.csv"]

  it.each([
    ["dataset", "validate", "labelled.csv"],
    ["dataset", "head", "data/labelled.csv"],
    ["dataset", "head", "./missing.csv"],
    ["model", "analyze", "data"],
    ["eval", "results", "data"],
    ["eval", "status", "data"],
    ["label", "list", "data", "--metric", "m"],
    ["guard", "calibrate", "--data=labelled.csv", "--url", "http://127.0.0.1:1/v1", "--model", "m"],
  ])("is not asked of a server in %j", verifies("cli.local-first"), async (...words) => {
    using folder = makeTemporaryFolder()
    for (const file of FILES) folder.write(file, "prompt,label\n")
    const { stderr } = await runCommand(words, { cwd: folder.path, env: { ASSAY_URL: "http://127.0.0.1:9" } })
    expect(stderr).not.toContain("No Assay server")
  })

  it("is copied, and sent to a fileset", verifies("cli.local-first"), async () => {
    using folder = makeTemporaryFolder()
    for (const file of FILES) folder.write(file, "prompt,label\n")
    const run = (...words: readonly string[]) => runCommand(words, { cwd: folder.path, env: { ASSAY_URL: server.url } })
    expect(await run("cp", "labelled.csv", "default/x")).toMatchObject({ exitCode: 0 })
    expect(await run("sync", "data", "default/x#data")).toMatchObject({ exitCode: 0 })
    expect((await run("ls", "x")).stdout).toMatch(
      / data\/deep\/labelled\.csv\n.* data\/labelled\.csv\n.* labelled\.csv\n$/,
    )
  })

  it("is named if a fileset is needed", verifies("cli.namesake"), async () => {
    using folder = makeTemporaryFolder()
    folder.write("labelled.csv", "prompt,label\n")
    const run = (...words: readonly string[]) => runCommand(words, { cwd: folder.path, env: { ASSAY_URL: server.url } })
    const listed = await run("ls", "labelled.csv")
    expect([listed.exitCode, listed.stderr]).toEqual([
      2,
      expect.stringContaining("There is a file or folder 'labelled.csv' here, but a fileset is needed."),
    ])
    expect((await run("ls", "./labelled.csv")).stderr).toContain("'./labelled.csv' is a path of this machine")
    expect((await run("dataset", "validate", "other.csv")).stderr).toContain("There is no file 'other.csv' here.")
  })
})
