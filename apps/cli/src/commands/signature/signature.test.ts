import { generateKeyPairSync, type KeyObject } from "node:crypto"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runCommand } from "../../testing/run-command.ts"
import { startServer, type TestServer } from "../../testing/start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../testing/temporary-folder.ts"

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" })
const pem = (key: KeyObject) =>
  key.export({ type: key.type === "private" ? "pkcs8" : "spki", format: "pem" }).toString()

let server: TestServer
let folder: TemporaryFolder
beforeAll(async () => {
  server = await startServer()
  folder = makeTemporaryFolder()
  folder.write("model/config.json", "{}")
  folder.write("model/model.safetensors", "weights")
  folder.write("signing.pem", pem(pair.privateKey))
  folder.write("keys/signing.pub", pem(pair.publicKey))
  folder.write("others/other.pub", pem(generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey))
})
afterAll(async () => {
  folder[Symbol.dispose]()
  await server.stop()
})

function fileset(...words: string[]) {
  const env = { ASSAY_URL: server.url, ASSAY_TRUSTED_KEYS: "keys" }
  return runCommand(["fileset", ...words], { cwd: folder.path, env })
}

describe("assay fileset sign and verify", () => {
  it("sign a folder, and name what differs later", verifies("cli.signature"), async () => {
    expect((await fileset("verify", "./model")).stderr).toContain("no signature 'model.sig'")
    expect((await fileset("sign", "./model", "--key", "signing.pem")).stdout).toBe(
      "signed 2 files: ./model/model.sig\n",
    )
    expect(await fileset("verify", "./model")).toMatchObject({
      exitCode: 0,
      stdout: "verified: signed by ./keys/signing.pub; 2 files, 9 B\n",
    })
    expect((await fileset("sign", "./model", "--key", "signing.pem")).stderr).toContain("--force")
    folder.write("model/config.json", "{ }")
    folder.write("model/extra.py", "")
    const { exitCode, stdout } = await fileset("verify", "./model", "--json")
    expect(exitCode).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({
      state: "differs",
      differing: [
        { path: "extra.py", fault: "unsigned" },
        { path: "config.json", fault: "changed" },
      ],
    })
    expect(await fileset("verify", "./model", "--key", "others")).toMatchObject({ exitCode: 3 })
  })

  it("sign and verify a fileset of a server", verifies("cli.signature"), async () => {
    folder.write("other/config.json", "{}")
    const env = { ASSAY_URL: server.url, XDG_CACHE_HOME: folder.path }
    await runCommand(["push", "./other", "signed"], { cwd: folder.path, env })
    expect((await fileset("sign", "signed", "--key", "signing.pem")).stdout).toBe(
      "signed 1 file: default/signed#model.sig\n",
    )
    expect((await fileset("verify", "signed")).stdout).toContain("verified: ")
  })

  it("refuse what is no key, and say whose signatures are trusted", async () => {
    expect((await fileset("sign", "./model", "--force", "--key", "keys/signing.pub")).stderr).toContain(
      "is not a private key",
    )
    expect((await fileset("sign", "./nothing", "--key", "signing.pem")).exitCode).toBe(2)
    expect((await fileset("verify", "./model", "--key", "signing.pem")).stderr).toContain(
      "is a private key, and a signature is checked with a public one",
    )
    const { stderr } = await runCommand(["fileset", "verify", "./model"], { cwd: folder.path, env: {} })
    expect(stderr).toContain("Name whose signatures you trust")
  })
})
