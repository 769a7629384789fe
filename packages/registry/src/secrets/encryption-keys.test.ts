import { chmod, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openEncryptionKeys, readEncryptionKeys } from "./encryption-keys.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-keys-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe("encryption keys", () => {
  const key = Buffer.alloc(32, 7)
  const random = () => key

  it(
    "are read as name:base64, newest first",
    verifies("settings.encryption-keys-form", "secrets.encryption-key-given"),
    () => {
      const { keys } = openEncryptionKeys(
        [`new:${key.toString("base64")}`, `old:${Buffer.alloc(32).toString("base64")}`],
        folder,
        random,
      )
      expect(keys.map(({ name }) => name)).toEqual(["new", "old"])
      expect(Buffer.from(keys[0]?.key ?? [])).toEqual(key)
    },
  )

  it(
    "are created on the first start and read on the next",
    verifies("settings.encryption-keys", "secrets.encryption-key-made"),
    async () => {
      const first = openEncryptionKeys([], folder, random)
      first.keep()
      expect(openEncryptionKeys([], folder, () => Buffer.alloc(32, 9)).keys).toEqual(first.keys)
      expect(((await stat(join(folder, "encryption-keys"))).mode & 0o777).toString(8)).toBe("600")
    },
  )

  it(
    "in a truncated or damaged file are reported with the file and a remedy",
    verifies("secrets.lost-keys"),
    async () => {
      openEncryptionKeys([], folder, random).keep()
      const file = join(folder, "encryption-keys")
      const whole = await readFile(file, "utf8")
      for (const text of [
        "",
        "\n",
        whole.slice(0, 20),
        whole.slice(0, -4),
        whole.replace("B", "*"),
        `${whole}${whole}`,
      ]) {
        await writeFile(file, text)
        const open = () => openEncryptionKeys([], folder, random)
        expect(open).toThrow(file)
        expect(open).toThrow(/Restore it from a backup/)
        expect(open).not.toThrow(/BwcH/)
      }
    },
  )

  it("that are invalid are refused without showing them", () => {
    const short = `k:${Buffer.alloc(16, 1).toString("base64")}`
    expect(() => openEncryptionKeys([short], folder, random)).toThrow(/ASSAY_ENCRYPTION_KEYS, key 1, must be/)
    expect(() => openEncryptionKeys([short], folder, random)).not.toThrow(/AQEB/)
    const good = `k:${key.toString("base64")}`
    expect(() => openEncryptionKeys([good, good], folder, random)).toThrow(/twice/)
  })
})

describe("a file of encryption keys", () => {
  const key = (byte: number) => Buffer.alloc(32, byte).toString("base64")
  const write = async (text: string, mode = 0o600) => {
    const file = join(folder, "keys")
    await writeFile(file, text)
    await chmod(file, mode)
    return file
  }
  const silent = () => {
    throw new Error("nothing is to be warned of")
  }

  it("contains one key per line, newest first", verifies("secrets.encryption-key-given"), async () => {
    const { keys } = readEncryptionKeys(await write(`new:${key(1)}\n\nold:${key(2)}\n`), silent)
    expect(keys).toEqual([
      { name: "new", key: Buffer.alloc(32, 1) },
      { name: "old", key: Buffer.alloc(32, 2) },
    ])
  })

  it("is refused if others can change it, and causes a warning if others can read it", async () => {
    const warnings: string[] = []
    readEncryptionKeys(await write(`a:${key(1)}`, 0o644), (message) => warnings.push(message))
    expect(warnings).toEqual([
      expect.stringMatching(/keys' can be read by others \(mode 0644\)\. Run `chmod 600` on it\./),
    ])
    const loose = await write(`a:${key(1)}`, 0o622)
    expect(() => readEncryptionKeys(loose, silent)).toThrow(/can be changed by others \(mode 0622\)/)
  })

  it("is refused if it is missing, empty, a folder or not a list of keys, without showing its contents", async () => {
    expect(() => readEncryptionKeys(join(folder, "none"), silent)).toThrow(/none' can't be read: ENOENT/)
    expect(() => readEncryptionKeys(folder, silent)).toThrow(/is not a file/)
    const empty = await write("\n")
    expect(() => readEncryptionKeys(empty, silent)).toThrow(/contains no encryption key/)
    const wrong = await write("a:c2hvcnQ=")
    expect(() => readEncryptionKeys(wrong, silent)).toThrow(/key 1, must be name:base64/)
    expect(() => readEncryptionKeys(wrong, silent)).not.toThrow(/c2hvcnQ/)
  })
})
