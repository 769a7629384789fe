import { statSync } from "node:fs"
import { join } from "node:path"
import { ListBucketsCommand, S3Client } from "@aws-sdk/client-s3"
import { createDatabase, installDatabaseClock, startPostgres, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand, type RunResult } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { startServerProcess } from "../../testing/start-server-process.ts"
import { makeTemporaryFolder } from "../../testing/temporary-folder.ts"

describe("assay config", () => {
  it("prints every setting with its value and its source, and masks secrets", verifies("cli.config"), async () => {
    using folder = makeTemporaryFolder()
    folder.write(".env", "ASSAY_LOG_LEVEL=debug\n")
    const env = { PORT: "9000", DATABASE_URL: "postgres://me:pa55word@host/db", ASSAY_SHARED_LOCAL: "1" }
    const { exitCode, stdout } = await runCommand(["config"], { cwd: folder.path, env })
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^PORT +9000 +the environment$/m)
    expect(stdout).toMatch(/^ASSAY_LOG_LEVEL +debug +\.env$/m)
    expect(stdout).toMatch(/^HOST +127\.0\.0\.1 +default$/m)
    expect(stdout).toMatch(/^DATABASE_URL +\*+ +the environment$/m)
    expect(stdout).not.toContain("pa55word")
  })

  it("names every wrong setting at once", verifies("cli.config"), async () => {
    const { exitCode, stderr } = await runCommand(["config", "--json"], { env: { PORT: "many", ASSAY_AUTH: "maybe" } })
    expect(exitCode).toBe(2)
    const { error } = JSON.parse(stderr)
    expect(error.code).toBe("bad_settings")
    expect(error.message).toContain("PORT")
    expect(error.message).toContain("ASSAY_AUTH")
  })
})

describe("assay serve", () => {
  it("serves until it is stopped, and ends with exit code 0", verifies("cli.serve", "cli.exit.done"), async () => {
    const server = await startServerProcess()
    const { exitCode } = await runCommand(["workspace", "list"], { env: { ASSAY_URL: server.url } })
    expect(exitCode).toBe(0)
    expect(statSync(join(server.folder, ".assay")).isDirectory()).toBe(true)
    expect(await server.stop()).toBe(0)
  })

  it("names wrong settings and does not start", verifies("cli.exit.fixable"), async () => {
    await expect(startServer({ HOST: "0.0.0.0" })).rejects.toThrow(/assay token create/)
  })
})

describe("assay migrate", () => {
  it("migrates what a server with ASSAY_MIGRATE=false refuses", verifies("database.migrate"), async () => {
    using folder = makeTemporaryFolder()
    const env = { ASSAY_MIGRATE: "false" }
    const run = (...words: string[]) => runCommand(words, { cwd: folder.path, env })
    const refused = await run("serve", "--port", "0")
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining("run `assay migrate` once")])
    const missing = await run("migrate", "--check")
    expect([missing.exitCode, missing.stdout]).toEqual([1, expect.stringMatching(/^missing 0001-first-tables$/m)])
    expect((await run("migrate")).stdout).toMatch(/^ran 0001-first-tables$/m)
    expect(await run("migrate", "--check")).toMatchObject({
      exitCode: 0,
      stdout: "the database has the newest schema\n",
    })
  })
})

describe("assay worker", () => {
  it("needs a shared database", async () => {
    using folder = makeTemporaryFolder()
    const { exitCode, stderr } = await runCommand(["worker", "--port", "0"], { cwd: folder.path })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("'worker' without DATABASE_URL")])
  })
})

describe("assay token", () => {
  let server: TestServer
  let admin: string
  beforeAll(async () => {
    server = await startServer({ ASSAY_AUTH: "tokens" })
    admin = (await token(["create", "admin", "--role", "admin", "--workspace", "*"])).stdout.trim()
  })
  afterAll(() => server.stop())

  /** Runs a command in the folder of the server, as its operator does. */
  function token(words: readonly string[]): Promise<RunResult> {
    return runCommand(["token", ...words], { cwd: server.folder, env: { ASSAY_AUTH: "tokens" } })
  }

  function assay(words: readonly string[], ASSAY_TOKEN: string): Promise<RunResult> {
    return runCommand(words, { env: { ASSAY_URL: server.url, ASSAY_TOKEN } })
  }

  it("creates a token that permits what its role permits, and nothing after it is revoked", async () => {
    const made = await token([
      "create",
      "ci",
      "--role",
      "viewer",
      "--workspace",
      "default",
      "--expires",
      "90d",
      "--json",
    ])
    const { token: secret, id, grants, expires_at } = JSON.parse(made.stdout)
    expect(grants).toEqual([{ workspace: "default", role: "viewer" }])
    expect(Date.parse(expires_at)).toBeGreaterThan(Date.now())
    expect((await assay(["fileset", "list"], secret)).exitCode).toBe(0)
    const refused = await assay(["fileset", "create", "x"], secret)
    expect(refused.exitCode).toBe(2)
    expect(refused.stderr).toContain("assay token create")
    expect((await token(["revoke", id])).stdout).toBe(`revoked ${id} (ci)\n`)
    expect((await assay(["fileset", "list"], secret)).exitCode).toBe(2)
    expect((await token(["revoke", id])).exitCode).toBe(2)
  })

  it("prints only the token on stdout, and stores it nowhere", async () => {
    const { stdout, stderr } = await token(["create", "laptop", "--role", "editor", "-w", "default", "system"])
    expect(stdout).toMatch(/^assay_[\w-]+\n$/)
    expect(stderr).toContain("editor in default, system. The token is shown only now")
    const listed = await token(["list"])
    expect(listed.stdout).toMatch(/laptop +editor in default, editor in system +never/)
    expect(listed.stdout).not.toContain(stdout.trim())
  })

  it("makes an access key of S3 that the server accepts, here and over HTTP", verifies("s3.access-key"), async () => {
    const words = ["create", "s3", "--role", "viewer", "--workspace", "default", "--s3"]
    const here = await token([...words, "--json"])
    const there = await assay(["token", ...words, "--server", server.url, "--json"], admin)
    const shown = await token(words)
    expect(shown.stdout).toMatch(/^assay_[\w-]+\nAWS_ACCESS_KEY_ID=token-\w+\nAWS_SECRET_ACCESS_KEY=[\w-]{43}\n$/)
    expect(shown.stderr).toContain("aws --endpoint-url http://127.0.0.1:8080/s3 s3 ls s3://default.")
    for (const { stdout } of [here, there]) {
      const { id, access_key, secret } = JSON.parse(stdout)
      expect([access_key, secret]).toEqual([id, expect.stringMatching(/^[\w-]{43}$/)])
      const credentials = { accessKeyId: access_key, secretAccessKey: secret }
      const client = new S3Client({
        endpoint: `${server.url}/s3`,
        region: "us-east-1",
        forcePathStyle: true,
        credentials,
      })
      expect((await client.send(new ListBucketsCommand({}))).Buckets ?? []).toEqual([])
      client.destroy()
    }
  })

  it("makes no access key before a server has made the encryption keys", async () => {
    using folder = makeTemporaryFolder()
    const words = ["token", "create", "s3", "--role", "viewer", "--workspace", "default", "--s3"]
    const { exitCode, stderr } = await runCommand(words, { cwd: folder.path })
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining("Start the server once")])
    expect((await runCommand(["token", "list", "--json"], { cwd: folder.path })).stdout).toContain('"data": []')
  })

  it("creates an admin token that permits everything", async () => {
    expect((await assay(["workspace", "create", "mine"], admin)).exitCode).toBe(0)
  })

  it("is needed by requests to a server with tokens", async () => {
    const { exitCode, stderr } = await runCommand(["workspace", "list", "--json"], { env: { ASSAY_URL: server.url } })
    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr).error.code).toBe("unauthorized")
  })
})

describe("assay doctor", () => {
  it("reports that a running server, its database and its storage are healthy", verifies("cli.doctor"), async () => {
    const server = await startServer()
    const { exitCode, stdout } = await runCommand(["doctor"], { cwd: server.folder, env: { ASSAY_URL: server.url } })
    await server.stop()
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^ok +node /m)
    expect(stdout).toMatch(/^ok +server +http:\/\/127\.0\.0\.1:\d+ is healthy, version \S+; checked: \w+/m)
  })

  it(
    "reports the connections and notices of a shared database, and a clock that differs from its clock",
    verifies("leases.clock-skew-warning", "settings.database-pool", "settings.notify-url"),
    async () => {
      const postgres = await startPostgres()
      using folder = makeTemporaryFolder()
      try {
        const url = await createDatabase(postgres.url)
        await installDatabaseClock(url, Date.now() - 60_000)
        folder.write("data/placeholder", "")
        const env = {
          DATABASE_URL: url,
          ASSAY_DATA_DIR: join(folder.path, "data"),
          ASSAY_SHARED_LOCAL: "1",
          ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: join(folder.path, "storage") }),
          ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
        }
        // The first start creates the tables.
        await (await startServer(env)).stop()
        // Nothing listens there: the doctor then opens the database itself.
        const stopped = { ...env, PORT: "1" }
        const { exitCode, stdout } = await runCommand(["doctor"], { cwd: folder.path, env: stopped })
        expect(stdout).toMatch(/^ok +database +this server opens at most 10; the database allows 397 to all/m)
        expect(stdout).toMatch(/^ok +notices /m)
        const wrong = { ...stopped, ASSAY_DATABASE_POOL: "398", DATABASE_NOTIFY_URL: "postgres://me@127.0.0.1:1/assay" }
        const { stdout: warned } = await runCommand(["doctor"], { cwd: folder.path, env: wrong })
        expect(warned).toMatch(/^FAIL +database +ASSAY_DATABASE_POOL is 398, and the database allows 397/m)
        expect(warned).toMatch(/^FAIL +notices +The database delivers no notices[^]*DATABASE_NOTIFY_URL/m)
        expect([exitCode, stdout]).toEqual([
          2,
          expect.stringMatching(/^FAIL +clock +The clock of this machine is \d+\.\d s ahead of/m),
        ])
      } finally {
        await postgres.stop()
      }
    },
  )

  it("reports that the server at ASSAY_URL does not answer", verifies("cli.doctor"), async () => {
    const server = await startServer()
    await server.stop()
    using folder = makeTemporaryFolder()
    const { exitCode, stdout } = await runCommand(["doctor", "--json"], {
      cwd: folder.path,
      env: { ASSAY_URL: server.url },
    })
    expect(exitCode).toBe(2)
    const { ok, checks } = JSON.parse(stdout)
    expect(ok).toBe(false)
    expect(checks).toContainEqual({
      name: "server",
      ok: false,
      detail: `No Assay server answers at ${server.url}: the connection was refused.`,
    })
  })
})
