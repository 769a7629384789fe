import { mkdirSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"
import { CHECKPOINT_PARAMETERS, writeCheckpoint } from "../../testing/write-checkpoint.ts"

const OWN = "{% for message in messages %}own {{ message['content'] }}{% endfor %}"
const OTHER = "{% for message in messages %}other {{ message['content'] }}{% endfor %}"

let server: TestServer
let folder: TemporaryFolder
beforeAll(async () => {
  server = await startServer()
  folder = makeTemporaryFolder()
  writeCheckpoint(folder, "tiny", OWN)
  await assay("push", "./tiny", "tiny", "--purpose", "model")
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await server.stop()
})

function assay(...words: string[]) {
  return runCommand(words, {
    cwd: folder.path,
    env: { ASSAY_URL: server.url, XDG_CACHE_HOME: join(folder.path, "cache") },
  })
}

/** Runs a command without a server: nothing listens at the address. */
function withoutServer(...words: string[]) {
  return runCommand(words, { cwd: folder.path, env: { ASSAY_URL: "http://127.0.0.1:9" } })
}

describe("assay model analyze", () => {
  it("describes a checkpoint in a folder, without a server", verifies("cli.model"), async () => {
    const { exitCode, stdout, stderr } = await withoutServer("model", "analyze", "./tiny")
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" })
    expect(stdout).toMatch(/^architecture +LlamaForCausalLM \(llama\)$/m)
    expect(stdout).toMatch(/^parameters +201,792 \(202 K\)$/m)
    expect(stdout).toMatch(/^weights +394\.1 KiB$/m)
    expect(stdout).toMatch(/^precision +bfloat16$/m)
    expect(stdout).toMatch(/^context +8,192 tokens$/m)
    expect(stdout).toMatch(/^attention heads +4, 2 for keys and values$/m)
    expect(stdout).toMatch(/^chat template +yes: \{% for message in messages %\}own /m)
  })

  it("prints the specification and its warnings as JSON", verifies("cli.model"), async () => {
    const { stdout } = await withoutServer("model", "analyze", "./tiny", "--json")
    expect(JSON.parse(stdout)).toMatchObject({
      checkpoint_model_name: "LlamaForCausalLM",
      base_num_parameters: CHECKPOINT_PARAMETERS,
      parameters_estimated: false,
      chat_template: OWN,
      warnings: [],
    })
  })

  it("prints the same for a fileset as for the folder", verifies("cli.model"), async () => {
    const remote = await assay("model", "analyze", "default/tiny", "--json")
    expect(remote.exitCode).toBe(0)
    expect(remote.stdout).toBe((await assay("model", "analyze", "./tiny", "--json")).stdout)
  })

  it("prefers the tool-calling settings of a fileset to those of its checkpoint", verifies("cli.model"), async () => {
    await assay("fileset", "create", "tuned", "--purpose", "model")
    await assay("push", "./tiny", "tuned")
    const model = { tool_calling: { chat_template: OTHER, tool_call_parser: "hermes", auto_tool_choice: true } }
    const updated = await assay("fileset", "update", "tuned", "--metadata", JSON.stringify({ model }))
    expect(updated.stderr).toBe("")
    const { stdout } = await assay("model", "analyze", "tuned")
    expect(stdout).toMatch(/^chat template +yes: \{% for message in messages %\}other /m)
    expect(stdout).toMatch(/^tool-call parser +hermes$/m)
    expect(stdout).toMatch(/^automatic tool choice +yes$/m)
  })

  it("follows links out of the folder, as in the cache of a hub's client", async () => {
    mkdirSync(join(folder.path, "snapshot"))
    for (const name of ["config.json", "model.safetensors"]) {
      symlinkSync(join("../tiny", name), join(folder.path, "snapshot", name))
    }
    const { stdout } = await withoutServer("model", "analyze", "./snapshot")
    expect(stdout).toMatch(/^parameters +201,792 /m)
    expect(stdout).toMatch(/^chat template +no$/m)
  })

  it("says what is missing if there is no checkpoint", verifies("cli.exit.fixable"), async () => {
    folder.write("notes/readme.md", "nothing")
    const { exitCode, stdout, stderr } = await withoutServer("model", "analyze", "./notes")
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" })
    expect(stderr).toContain("missing are 'config.json', which describes the model, and weights: '*.safetensors'")
  })

  it("refuses a file and a part of a fileset", async () => {
    expect((await withoutServer("model", "analyze", "./tiny/config.json")).stderr).toContain(
      "is a file, and a folder is needed",
    )
    expect((await withoutServer("model", "analyze", "tiny#config.json")).stderr).toContain("takes a whole fileset")
    expect((await assay("model", "analyze", "nothing")).stderr).toContain("Fileset 'nothing' not found")
  })
})
