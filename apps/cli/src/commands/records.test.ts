import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand, type RunOptions, type RunResult } from "../testing/run-command.ts"
import { startServer, type TestServer } from "../testing/start-server.ts"
import { makeTemporaryFolder } from "../testing/temporary-folder.ts"

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.stop())

function assay(words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return runCommand(words, { env: { ASSAY_URL: server.url }, ...options })
}

async function json(words: readonly string[], options: RunOptions = {}) {
  const { exitCode, stdout, stderr } = await assay([...words, "--json"], options)
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
  return JSON.parse(stdout)
}

describe("assay workspace", () => {
  it("creates, lists, prints and deletes a workspace", verifies("cli.workspace"), async () => {
    expect((await assay(["workspace", "create", "research", "--description", "ours"])).stdout).toBe(
      "created research\n",
    )
    expect((await assay(["workspace", "list"])).stdout).toMatch(
      /^WORKSPACE +CREATED +DESCRIPTION\n[^]*research .* ours\n/m,
    )
    expect(await json(["workspace", "get", "research"])).toMatchObject({ name: "research", description: "ours" })
    expect((await assay(["workspace", "delete", "research", "--yes"])).stdout).toBe("deleted research\n")
    const { exitCode, stderr } = await assay(["workspace", "get", "research"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("\n    assay workspace list\n")
  })

  it("deletes a workspace with its content only with --cascade", async () => {
    await assay(["workspace", "create", "full"])
    await assay(["fileset", "create", "full/reviews"])
    expect((await assay(["workspace", "delete", "full", "--yes"])).exitCode).toBe(2)
    expect((await assay(["workspace", "delete", "full", "--cascade", "--yes"])).exitCode).toBe(0)
  })
})

describe("assay budget", () => {
  it("sets, prints and deletes the budget of a workspace", async () => {
    await assay(["workspace", "create", "limited"])
    const env = { ASSAY_URL: server.url, ASSAY_WORKSPACE: "limited" }
    const { stdout } = await assay(["budget", "set", "--max-requests", "2000", "--max-cost", "12.5"], { env })
    expect(stdout).toMatch(/^workspace +limited\nmonth +\d{4}-\d\d \(UTC\), until .*\nrequests +0 of 2,000\n/)
    expect(stdout).toMatch(/^cost +0\.00 of 12\.50$/m)
    expect(stdout).toMatch(/\nwarning: max_cost needs prices, and this server has no price table, /)
    expect((await json(["budget", "set", "limited", "--max-tokens", "5"])).limits).toEqual({ max_tokens: 5 })
    expect(await json(["budget", "get", "limited"])).toMatchObject({
      limits: { max_tokens: 5 },
      usage: { requests: 0, cost: null },
      exhausted: null,
    })
    expect((await assay(["budget", "delete", "limited"])).stdout).toBe("deleted the budget of limited\n")
    expect((await assay(["budget", "get", "limited"])).stdout).toMatch(/^tokens +0 \(no limit\)/m)
  })

  it("says which options it needs, and refuses amounts that are not limits", async () => {
    expect((await assay(["budget", "set", "limited"])).stderr).toContain(
      "give --max-requests, --max-tokens or --max-cost",
    )
    expect((await assay(["budget", "set", "limited", "--max-cost", "0"])).stderr).toContain("a number above 0")
    expect((await assay(["budget", "get", "nowhere"])).stderr).toContain("Workspace 'nowhere' not found")
  })
})

describe("assay fileset", () => {
  it("creates, prints, updates and deletes a fileset", verifies("cli.fileset"), async () => {
    const created = ["fileset", "create", "reviews", "--purpose", "dataset", "--custom-fields", '{"team": "nlp"}']
    expect((await assay(created)).stdout).toBe("created default/reviews (dataset)\n")
    expect((await assay(["fileset", "list"])).stdout).toMatch(/^default\/reviews +dataset +local +0 +0 /mu)
    expect(await json(["fileset", "get", "reviews"])).toMatchObject({
      usage: { files: 0, bytes: 0 },
      purpose: "dataset",
      custom_fields: { team: "nlp" },
    })
    expect((await assay(["fileset", "get", "default/reviews"])).stdout).toMatch(/^custom_fields +\{"team":"nlp"\}$/m)
    expect(await json(["fileset", "update", "reviews", "--description", "new"])).toMatchObject({ description: "new" })
    const deletedRecord = await json(["fileset", "get", "reviews"])
    const deleted = await assay(["fileset", "delete", "reviews", "--yes"])
    expect(deleted.stdout).toBe("deleted default/reviews\n")
    expect(deleted.stderr).toMatch(/^Undo until \S+Z: assay trash restore default\/reviews\n$/)
    expect((await assay(["fileset", "get", "reviews"])).exitCode).toBe(2)
    const { id } = deletedRecord
    expect((await assay(["trash", "list"])).stdout).toMatch(/^default\/reviews +fileset +0 B /mu)
    expect((await assay(["trash", "restore", "reviews"])).stdout).toBe("restored default/reviews\n")
    expect((await assay(["fileset", "delete", "reviews", "--yes", "--quiet"])).stderr).toBe("")
    await assay(["fileset", "create", "reviews"])
    const taken = await assay(["trash", "restore", "reviews"])
    expect([taken.exitCode, taken.stderr]).toEqual([2, expect.stringContaining(`trash restore default/${id} NAME`)])
    expect((await assay(["trash", "restore", `default/${id}`, "old"])).stdout).toBe("restored default/old\n")
    await assay(["fileset", "delete", "reviews", "--yes"])
    await assay(["fileset", "delete", "old", "--permanent", "--yes"])
    expect((await json(["trash", "list"])).data).toHaveLength(1)
    expect((await assay(["trash", "delete", "reviews", "--yes"])).stdout).toBe("deleted default/reviews for good\n")
    expect((await assay(["trash", "restore", "reviews"])).stderr).toContain(
      "The trash has no fileset or job 'default/reviews'",
    )
    expect((await assay(["trash", "empty", "--yes"])).stdout).toBe("deleted 0 filesets and 0 jobs for good, 0 B\n")
  })

  it("create succeeds for an existing fileset with --exist-ok", async () => {
    await assay(["fileset", "create", "twice"])
    const { exitCode, stderr } = await assay(["fileset", "create", "twice"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("Fileset 'default/twice' already exists")
    expect((await assay(["fileset", "create", "twice", "--exist-ok"])).stdout).toBe(
      "already there: default/twice (generic)\n",
    )
  })

  it("reads JSON from a file and from stdin", verifies("cli.stdin"), async () => {
    using folder = makeTemporaryFolder()
    folder.write("fields.json", '{"from": "a file"}')
    const file = await json(["fileset", "create", "json-1", "--custom-fields", "@fields.json"], { cwd: folder.path })
    expect(file.custom_fields).toEqual({ from: "a file" })
    const piped = await json(["fileset", "create", "json-2", "--custom-fields", "-"], { input: '{"from": "stdin"}' })
    expect(piped.custom_fields).toEqual({ from: "stdin" })
    expect((await assay(["fileset", "create", "json-3", "--metadata", "@nowhere.json"])).stderr).toContain(
      "nowhere.json",
    )
  })

  it("reads YAML wherever it reads JSON, and names line and column of a fault", verifies("cli.yaml"), async () => {
    using folder = makeTemporaryFolder()
    folder.write("metadata.yaml", "dataset:\n  enforce: reject\n  schema: {type: object}\n")
    folder.write("broken.yaml", "dataset:\n  enforce: [reject\n")
    folder.write("words.yaml", "only words\n")
    const options = { cwd: folder.path }
    const made = ["fileset", "create", "yaml-1", "--metadata", "@metadata.yaml", "--custom-fields", "{team: nlp}"]
    expect(await json(made, options)).toMatchObject({
      metadata: { dataset: { enforce: "reject", schema: { type: "object" } } },
      custom_fields: { team: "nlp" },
    })
    const piped = ["fileset", "update", "yaml-1", "--custom-fields", "-"]
    expect(await json(piped, { input: "team: vision\n" })).toMatchObject({ custom_fields: { team: "vision" } })
    const broken = await assay(["fileset", "create", "yaml-2", "--metadata", "@broken.yaml"], options)
    expect([broken.exitCode, broken.stderr]).toEqual([2, expect.stringContaining("--metadata 'broken.yaml':3:1: ")])
    const words = await assay(["fileset", "create", "yaml-2", "--metadata", "@words.yaml"], options)
    expect([words.exitCode, words.stderr]).toEqual([2, expect.stringContaining("'words.yaml' is not JSON or YAML: ")])
    folder.write("schema.yml", "type: object\nrequired: [a]\n")
    folder.write("rows.jsonl", '{"a":1}\n{"b":1}\n')
    const validated = await assay(["dataset", "validate", "./rows.jsonl", "--schema", "schema.yml"], options)
    expect([validated.exitCode, validated.stdout]).toEqual([1, expect.stringContaining("./rows.jsonl:2:")])
  })

  it("names the field that the server refuses", async () => {
    const { exitCode, stderr } = await assay(["fileset", "create", "wrong", "--metadata", '{"datase": {}}', "--json"])
    expect(exitCode).toBe(2)
    expect(JSON.parse(stderr).error).toMatchObject({
      code: "invalid_request",
      message: expect.stringContaining("datase"),
    })
  })

  it("list filters by text, purpose and name, and pages in any order", async () => {
    await assay(["workspace", "create", "many"])
    const workspace = { env: { ASSAY_URL: server.url, ASSAY_WORKSPACE: "many" } }
    for (const name of ["alpha", "beta", "gamma"]) {
      await assay(["fileset", "create", name, "--purpose", name === "beta" ? "model" : "dataset"], workspace)
    }
    const names = async (...words: string[]): Promise<string[]> => {
      const { data } = await json(["fileset", "list", "--sort", "name", ...words], workspace)
      return data.map(({ name }: { name: string }) => name)
    }
    expect(await names()).toEqual(["alpha", "beta", "gamma"])
    expect(await names("--purpose", "dataset")).toEqual(["alpha", "gamma"])
    expect(await names("--name", "ET")).toEqual(["beta"])
    expect(await names("--filter", 'name:"alpha" OR name:"beta"', "--purpose", "model")).toEqual(["beta"])
    expect(await names("--filter", '{"name": "gamma"}')).toEqual(["gamma"])
    expect(await names("--page-size", "1", "--page", "2")).toEqual(["beta"])
    expect(await names("--all")).toEqual(["alpha", "beta", "gamma"])
    expect((await assay(["fileset", "list", "--page-size", "2"], workspace)).stdout).toContain(
      "page 1 of 2, 3 filesets; --page 2 shows the next",
    )
    expect((await assay(["fileset", "list", "--workspace", "-", "--name", "alph"])).stdout).toContain("many/alpha")
    expect((await assay(["fileset", "list", "--filter", "nope:1"])).exitCode).toBe(2)
  })
})

describe("a command that deletes", () => {
  it(
    "deletes nothing without a terminal to ask on, unless --yes is given",
    verifies("cli.delete.confirm"),
    async () => {
      await assay(["workspace", "create", "asked"])
      await assay(["fileset", "create", "asked/set"])
      await assay(["secret", "set", "asked/key"], { input: "value" })
      for (const words of [
        ["fileset", "delete", "asked/set"],
        ["secret", "delete", "asked/key"],
        ["workspace", "delete", "asked", "--cascade"],
        ["rm", "-r", "asked/set#"],
        ["eval", "delete", "eval-1"],
      ]) {
        const { exitCode, stderr } = await assay(words)
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining("there is no terminal to ask on: add --yes")])
      }
      expect(await json(["fileset", "get", "asked/set"])).toMatchObject({ name: "set" })
      expect((await assay(["workspace", "delete", "asked", "--cascade", "--yes"])).exitCode).toBe(0)
    },
  )
})

describe("assay secret", () => {
  it(
    "sets a secret from stdin, sets it again, lists it without its value and deletes it",
    verifies("cli.secret", "cli.secret-value"),
    async () => {
      expect((await assay(["secret", "set", "hub-token"], { input: "hf_first\n" })).stdout).toBe(
        "created default/hub-token\n",
      )
      expect(
        (await assay(["secret", "set", "hub-token", "--description", "of the hub"], { input: "hf_second" })).stdout,
      ).toBe("updated default/hub-token\n")
      const { data } = await json(["secret", "list"])
      expect(data).toMatchObject([{ name: "hub-token", description: "of the hub" }])
      expect(JSON.stringify(data)).not.toContain("hf_")
      expect(await json(["secret", "delete", "default/hub-token", "--yes"])).toEqual({
        workspace: "default",
        name: "hub-token",
        deleted: true,
      })
      expect((await assay(["secret", "list"])).stdout).toBe("no secrets\n")
    },
  )

  it("deletes a secret that something names only with --force", verifies("secrets.in-use"), async () => {
    await assay(["secret", "set", "used"], { input: "value" })
    const target = {
      name: "keyed",
      type: "model",
      model: { api_endpoint: { url: "http://127.0.0.1:1/v1", model_id: "m", api_key_secret: "used" } },
    }
    const made = await fetch(`${server.url}/v1/evaluation/targets`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(target),
    })
    expect(made.status).toBe(201)
    const { exitCode, stderr } = await assay(["secret", "delete", "used", "--yes"])
    expect([exitCode, stderr]).toEqual([
      expect.any(Number),
      expect.stringContaining("evaluation target 'default/keyed'"),
    ])
    expect(exitCode).not.toBe(0)
    expect((await assay(["secret", "delete", "used", "--yes", "--force"])).stdout).toBe("deleted default/used\n")
  })

  it("accepts no value as an argument, and no empty value", verifies("cli.secret-value"), async () => {
    expect((await assay(["secret", "set", "x", "value"])).exitCode).toBe(2)
    const { exitCode, stderr } = await assay(["secret", "set", "x"], { input: "\n" })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("The value is empty")
  })

  it("asks for the value on a terminal without showing it", verifies("cli.secret-value"), async () => {
    const isTerminal = { stdin: true, stdout: true, stderr: true }
    const { exitCode, stdout, stderr } = await assay(["secret", "set", "typed"], {
      isTerminal,
      input: "s3crez\u007Ft\r",
    })
    expect(exitCode).toBe(0)
    expect(stdout + stderr).toBe("Value of default/typed: \ncreated default/typed\n".replace(/^(.*\n)(.*\n)$/s, "$2$1"))
    expect(stdout + stderr).not.toContain("s3cre")
  })

  it("sets nothing if the prompt is left with Ctrl-C", async () => {
    const isTerminal = { stdin: true, stdout: true, stderr: true }
    expect((await assay(["secret", "set", "left"], { isTerminal, input: "half\u0003" })).exitCode).toBe(130)
    expect((await assay(["secret", "list"])).stdout).not.toContain("left")
  })
})
