import { startLoopbackServer, verifies } from "@assay/testkit"
import type { Command } from "commander"
import { describe, expect, it } from "vitest"
import { buildProgram } from "./program.ts"
import { runCommand } from "./testing/run-command.ts"

function leaves(command: Command, above: readonly string[] = []): readonly (readonly string[])[] {
  if (command.commands.length === 0) return [above]
  return command.commands.flatMap((child) => leaves(child, [...above, child.name()]))
}

const program = buildProgram(() => async () => undefined)
const commands = leaves(program).map((words) => words.join(" "))

/** Returns an address without a server. */
async function closedAddress(): Promise<string> {
  const server = await startLoopbackServer(() => undefined)
  await server.close()
  return server.url
}

describe("help", () => {
  it("lists all commands with the first steps if no command is given", verifies("cli.map"), async () => {
    const { exitCode, stdout } = await runCommand([])
    expect(exitCode).toBe(0)
    for (const { 0: name = "" } of leaves(program)) expect(stdout).toContain(`\n  ${name}`)
    expect(stdout).toContain("assay push ./some-folder default/first")
  })

  it("lists the verbs of a noun without a verb", async () => {
    const { exitCode, stdout } = await runCommand(["fileset"])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/create <fileset>[^]*list[^]*get[^]*update[^]*delete/)
  })

  it.each(["fileset", "secret", "token", "workspace", "dataset", "model", "guard", "eval"])(
    "for the noun `%s` has an example",
    verifies("cli.help"),
    async (noun) => {
      const { stdout } = await runCommand([noun, "--help"])
      expect(stdout.split(/Examples?:\n/)[1]).toContain(`assay ${noun} `)
    },
  )

  it.each([
    [["help"], []],
    [
      ["help", "push"],
      ["push", "--help"],
    ],
    [
      ["help", "fileset", "create"],
      ["fileset", "create", "--help"],
    ],
    [
      ["fileset", "help", "create"],
      ["fileset", "create", "--help"],
    ],
    [
      ["fileset", "help"],
      ["fileset", "--help"],
    ],
  ])("is the same for %j and %j", verifies("cli.help"), async (words, same) => {
    const { exitCode, stdout } = await runCommand(words)
    expect([exitCode, stdout]).toEqual([0, (await runCommand(same)).stdout])
    expect(stdout).toContain("Usage: assay")
  })

  it("for an unknown command is an error that says which command lists the known ones", async () => {
    const { exitCode, stderr } = await runCommand(["help", "fileset", "mend"])
    expect(exitCode).toBe(2)
    expect(stderr).toContain("There is no command 'mend' in `assay fileset`; `assay fileset --help` lists")
  })

  it("is not printed for an argument with the value help", async () => {
    const { stderr } = await runCommand(["push", "help", "a/b/c"])
    expect(stderr).toContain("'a/b/c' does not name a fileset")
  })

  it("covers more than twenty commands", () => {
    expect(commands.length).toBeGreaterThan(20)
  })

  it.each(commands)("for `%s` has an example that begins with the command", verifies("cli.help"), async (name) => {
    const { exitCode, stdout } = await runCommand([...name.split(" "), "--help"])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/Examples?:\n/)
    expect(stdout.split(/Examples?:\n/)[1]).toContain(`assay ${name}`)
  })

  it.each(commands)("for `%s` has --json", verifies("cli.json"), async (name) => {
    const { stdout } = await runCommand([...name.split(" "), "--help"])
    expect(stdout).toContain("--json")
  })
})

describe("a command line with an error", () => {
  it.each([
    [["psuh", "a", "b"], "Unknown command 'psuh'. Did you mean push?", "assay --help"],
    [["fileset", "lst"], "Unknown command 'lst'. Did you mean list?", "assay fileset --help"],
    [["push", "a", "b", "--paralel", "3"], "Unknown option '--paralel'. Did you mean --parallel?", "assay push --help"],
    [["push", "a"], "Missing required argument 'fileset'.", "assay push --help"],
    [["push", "a", "b", "--parallel", "none"], "Give a whole number from 1 to 256.", "assay push --help"],
    [
      ["eval", "list", "--status", "bogus"],
      "There is no status 'bogus'; give one of created, ",
      "assay eval list --help",
    ],
    [
      ["fileset", "create", "x", "--purpose", "toys"],
      "Allowed choices are dataset, generic, model.",
      "assay fileset create --help",
    ],
    [["ls", "a//b"], "'a//b' does not name a fileset", "assay ls --help"],
    [["cat", "default/reviews"], "'default/reviews' does not name a file", "assay cat --help"],
    [["fileset", "update", "reviews"], "There is nothing to change", "assay fileset update --help"],
    [
      ["token", "create", "x", "--role", "viewer", "-w", "*", "--expires", "soon"],
      "'soon' is not a duration",
      "assay token create --help",
    ],
  ])(
    "%j ends with exit code 2 and says what is wrong",
    verifies("cli.exit.fixable"),
    async (words, message, command) => {
      const { exitCode, stdout, stderr } = await runCommand(words)
      expect(exitCode).toBe(2)
      expect(stdout).toBe("")
      expect(stderr).toContain(message)
      expect(stderr).toContain(`\n    ${command}\n`)
    },
  )
})

describe("an error", () => {
  it("says what happened, what to do and which command to run", verifies("cli.error", "cli.no-server"), async () => {
    const url = await closedAddress()
    const { exitCode, stderr } = await runCommand(["workspace", "list"], { env: { ASSAY_URL: url } })
    expect(exitCode).toBe(2)
    expect(stderr).toBe(
      `error: No Assay server answers at ${url}: the connection was refused.\n\n` +
        "Start one with `assay serve`, or set ASSAY_URL.\n\n    assay serve\n",
    )
  })

  it.each([
    ["dataset", "head", "nofile.csv"],
    ["dataset", "validate", "--max-issues", "3", "rows/none.jsonl"],
    ["model", "analyze", "weights.safetensors"],
    ["eval", "compare", "before", "after"],
  ])(
    "of a server that was asked because no file has the name says so: %s %s",
    verifies("cli.no-server"),
    async (...words) => {
      const { stderr } = await runCommand(words, { env: { ASSAY_URL: await closedAddress() } })
      expect(stderr).toMatch(/refused\. There is no file or folder '[\w./]+' here, so the command asked a server\.\n/u)
    },
  )

  it("is an object on stderr with --json, and stdout stays empty", verifies("cli.json.streams"), async () => {
    const url = await closedAddress()
    const { stdout, stderr } = await runCommand(["workspace", "list", "--json"], { env: { ASSAY_URL: url } })
    expect(stdout).toBe("")
    expect(JSON.parse(stderr)).toEqual({
      error: {
        code: "server_unreachable",
        message: `No Assay server answers at ${url}: the connection was refused.`,
        remedy: "Start one with `assay serve`, or set ASSAY_URL.",
        command: "assay serve",
      },
    })
  })

  it("that is a fault of the server ends with exit code 70", verifies("cli.exit.fault"), async () => {
    const server = await startLoopbackServer((_request, response) => {
      response.writeHead(500).end(JSON.stringify({ detail: "Broken.", code: "internal" }))
    })
    const { exitCode, stderr } = await runCommand(["workspace", "list"], { env: { ASSAY_URL: server.url } })
    await server.close()
    expect(exitCode).toBe(70)
    expect(stderr).toContain("error: Broken.")
  })

  it(
    "that is a fault of this program ends with exit code 70, and is an object with --json",
    verifies("cli.exit.fault"),
    async () => {
      const fetch = () => Promise.resolve({ status: 200, headers: null as unknown as Headers, body: null })
      const { exitCode, stderr } = await runCommand(["cat", "a#b", "--json"], { fetch })
      expect(exitCode).toBe(70)
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: "internal" } })
    },
  )

  it("names an invalid ASSAY_URL", async () => {
    const { exitCode, stderr } = await runCommand(["workspace", "list"], { env: { ASSAY_URL: "localhost" } })
    expect(exitCode).toBe(2)
    expect(stderr).toContain("'localhost' is not the address of a server")
  })

  it("never shows the token", async () => {
    const env = { ASSAY_URL: await closedAddress(), ASSAY_TOKEN: "s3cr3t-t0ken" }
    for (const words of [["workspace", "list"], ["workspace", "list", "--json"], ["doctor"]]) {
      const { stdout, stderr } = await runCommand(words, { env })
      expect(stdout + stderr).not.toContain("s3cr3t-t0ken")
    }
  })
})

describe("an interrupt by Ctrl-C", () => {
  it("ends a waiting command with exit code 130", verifies("cli.exit.interrupted"), async () => {
    const stop = new AbortController()
    const server = await startLoopbackServer(() => stop.abort())
    const { exitCode, stderr } = await runCommand(["workspace", "list"], {
      env: { ASSAY_URL: server.url },
      signal: stop.signal,
    })
    await server.close()
    expect(exitCode).toBe(130)
    expect(stderr).toContain("Interrupted.")
  })
})
