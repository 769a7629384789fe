import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { trustedRequest } from "./trusted-profile.ts"

const PROGRAM = ["node", "/opt/assay/main.js"]

describe("the words that a run asks this machine to start", () => {
  it("are those of the user's own profile, whatever the run says of the program", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "assay-trust-"))
    writeFileSync(
      join(folder.path, "executors.yaml"),
      "profiles:\n  p: {executor: command, waits: true, command: [echo, '{index}'], program: assay}\n  q: {executor: local}\n",
    )
    const ports = { cwd: folder.path, env: {}, program: PROGRAM, options: ["--key-host", "a.example"] }
    const values = { command: ["echo", "{index}"], waits: true }
    const asked = {
      executor: "command",
      profile: { name: "p", values },
      program: ["./evil"],
      options: ["--key-host", "a.example"],
    }
    expect(await trustedRequest(asked, ports)).toEqual({ ...asked, program: ["assay"] })
    const local = {
      executor: "local",
      profile: { values: {} },
      program: ["./evil"],
      options: ["--key-host", "a.example"],
    }
    expect(await trustedRequest(local, ports)).toEqual({
      ...local,
      program: PROGRAM,
      options: ["--key-host", "a.example"],
    })
  })

  it.each([
    ["another command", { executor: "command", profile: { name: "p", values: { command: ["rm", "-rf"] } } }],
    ["a profile that the user does not have", { executor: "command", profile: { name: "x", values: {} } }],
    ["a profile of another executor", { executor: "slurm", profile: { name: "p", values: { setup: ["x"] } } }],
    ["values without a name", { executor: "slurm", profile: { values: { setup: ["touch ./x"] } } }],
    ["an unknown executor", { executor: "evil", profile: { values: {} } }],
  ])("are refused if they are %s", async (_, asked) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "assay-trust-"))
    writeFileSync(join(folder.path, "executors.yaml"), "profiles: {p: {executor: command, command: echo}}\n")
    const ports = { cwd: folder.path, env: {}, program: PROGRAM, options: ["--key-host", "a.example"] }
    await expect(trustedRequest({ ...asked, program: [], options: [] }, ports)).rejects.toMatchObject({
      code: "bad_usage",
      message: expect.stringContaining("A run does not decide what is started here"),
    })
  })

  it.each([
    [["--key-host", "evil.example"], "evil.example"],
    [["--server", "http://evil.example"], "--server"],
  ])("do not let it send keys elsewhere: %j", async (options, named) => {
    const ports = { cwd: tmpdir(), env: {}, program: PROGRAM, options: ["--key-host", "a.example"] }
    const asked = { executor: "local", profile: { values: {} }, program: [], options }
    await expect(trustedRequest(asked, ports)).rejects.toMatchObject({
      code: "bad_usage",
      message: expect.stringContaining(`'${named}'`),
    })
  })
})
