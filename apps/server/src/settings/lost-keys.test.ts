import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { SECRETS, startTestServer } from "../testing/start-test-server.ts"

const ROTATE = "/apis/secrets/v2/rotate-encryption-keys"
const key = (name: string, byte: number) => `${name}:${Buffer.alloc(32, byte).toString("base64")}`

let home: string
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "assay-lost-keys-"))
})
afterEach(() => rm(home, { recursive: true, force: true }))

async function storeSecret(name: string, env: Readonly<Record<string, string>> = {}): Promise<void> {
  await using server = await startTestServer(env, home)
  const { status } = await server.call("POST", `${SECRETS}/default/secrets`, { json: { name, value: "v4lue" } })
  expect(status).toBe(201)
}

describe("a server whose encryption keys are lost", () => {
  it(
    "does not start, names the file and creates no other key; with the file it starts again",
    verifies("secrets.lost-keys"),
    async () => {
      await storeSecret("token")
      const file = join(home, "data", "encryption-keys")
      await copyFile(file, join(home, "kept"))
      await rm(file)
      await expect(startTestServer({}, home)).rejects.toMatchObject({
        code: "encryption_key_missing",
        message: expect.stringMatching(
          new RegExp(`^1 secret needs the encryption key 'local-[0-9a-f]{8}': it is missing from the file '${file}'`),
        ),
      })
      await expect(stat(file)).rejects.toMatchObject({ code: "ENOENT" })
      await copyFile(join(home, "kept"), file)
      await using server = await startTestServer({}, home)
      expect((await server.call("POST", ROTATE)).json).toEqual({ rotated_secrets: 0, success: true })
    },
  )

  it("does not start with a key of the same name and other bytes", verifies("secrets.lost-keys"), async () => {
    await storeSecret("token")
    const file = join(home, "data", "encryption-keys")
    const [name = ""] = (await readFile(file, "utf8")).split(":")
    await writeFile(file, `${key(name, 9)}\n`)
    await expect(startTestServer({}, home)).rejects.toMatchObject({ code: "encryption_key_missing" })
  })

  it(
    "does not start with only some of its keys, and reports how many secrets need which key",
    verifies("secrets.lost-keys"),
    async () => {
      const keys = (text: string) => ({ ASSAY_ENCRYPTION_KEYS: text })
      await storeSecret("a", keys(key("old", 1)))
      await storeSecret("b", keys(`${key("new", 2)},${key("old", 1)}`))
      await expect(startTestServer(keys(key("new", 2)), home)).rejects.toMatchObject({
        code: "encryption_key_missing",
        message: expect.stringMatching(
          /^1 secret needs the encryption key 'old': it is missing from ASSAY_ENCRYPTION_KEYS/,
        ),
      })
      // The same happens if a file with several keys lost a line.
      await writeFile(join(home, "data", "encryption-keys"), `${key("old", 1)}\n`)
      await expect(startTestServer({}, home)).rejects.toThrow(/^1 secret needs the encryption key 'new'/)
    },
  )
})
