import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import type { Registry } from "../registry.ts"
import { DATABASE_KINDS } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { openSecretsRepair } from "./unreadable-secrets.ts"

const VALUE = "hf_a-value-that-nobody-may-see-ÄÖ"
const FIRST = { name: "first", key: new Uint8Array(32).fill(1) }
const THIRD = { name: "third", key: new Uint8Array(32).fill(3) }
const SECOND = { name: "second", key: new Uint8Array(32).fill(2) }

describe.each(DATABASE_KINDS)("secrets on %s", (kind) => {
  let test: TestRegistry
  let registry: Registry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    registry = test.registry
  })
  afterEach(() => test.remove())

  it("can be created, read, changed and removed, without showing their value", async () => {
    const made = await registry.secrets.create("default", { name: "token", description: "hub", value: VALUE })
    expect(made).toEqual({
      name: "token",
      workspace: "default",
      description: "hub",
      created_at: made.updated_at,
      updated_at: expect.stringMatching(/Z$/),
    })
    expect(await registry.secrets.get("default", "token")).toEqual(made)
    const changed = await registry.secrets.update("default", "token", { value: "other" })
    expect(changed).toEqual({ ...made, updated_at: changed.updated_at })
    expect(changed.updated_at > made.updated_at).toBe(true)
    expect((await registry.secrets.update("default", "token", { description: "" })).description).toBe("")
    expect(await registry.secrets.resolve("default", "token")).toBe("other")
    await registry.secrets.remove("default", "token")
    const missing = { code: "not_found", message: "Secret 'token' not found in workspace 'default'" }
    await expect(registry.secrets.get("default", "token")).rejects.toMatchObject(missing)
    await expect(registry.secrets.update("default", "token", {})).rejects.toMatchObject(missing)
    await expect(registry.secrets.remove("default", "token")).rejects.toMatchObject(missing)
    await expect(registry.secrets.resolve("default", "token")).rejects.toMatchObject({ code: "secret_not_readable" })
  })

  it("return their value only to adapters", async () => {
    await registry.secrets.create("default", { name: "token", value: VALUE })
    expect(await registry.secrets.resolve("default", "token")).toBe(VALUE)
  })

  it(
    "have unique names in an existing workspace",
    verifies("requests.duplicate-name", "errors.create-in-missing-workspace"),
    async () => {
      await registry.secrets.create("default", { name: "token", value: "a" })
      await expect(registry.secrets.create("default", { name: "token", value: VALUE })).rejects.toMatchObject({
        code: "already_exists",
        message: "Secret 'default/token' already exists",
      })
      await expect(registry.secrets.create("nowhere", { name: "token", value: VALUE })).rejects.toMatchObject({
        code: "invalid_request",
        issues: [{ loc: ["path", "workspace"], msg: expect.stringMatching(/^Workspace 'nowhere' does not exist/) }],
      })
      await expect(registry.secrets.list("nowhere", { page: 1, page_size: 1 })).rejects.toMatchObject({
        message: "Workspace 'nowhere' not found",
      })
    },
  )

  it("are listed by name in pages", async () => {
    for (const name of ["b", "c", "a"]) await registry.secrets.create("default", { name, value: name })
    const { data, pagination } = await registry.secrets.list("default", { page: 1, page_size: 2 })
    expect(data.map(({ name }) => name)).toEqual(["a", "b"])
    expect(Object.keys(data[0] ?? {})).toEqual(["name", "workspace", "description", "created_at", "updated_at"])
    expect(pagination).toMatchObject({ total_results: 3 })
  })

  it(
    "never show their value: not in records, errors, logs or the database",
    verifies("secrets.value-never-returned", "secrets.encrypted-at-rest"),
    async () => {
      const said: unknown[] = []
      const note = async (work: Promise<unknown>) =>
        said.push(await work.catch((error: unknown) => describeError(error)))
      const body = { name: "token", value: VALUE }
      await note(registry.secrets.create("default", body))
      await note(registry.secrets.create("default", body))
      await note(registry.secrets.create("nowhere", body))
      await note(registry.secrets.create("default", { name: "odd", value: `${VALUE}\ud800` }))
      await note(registry.secrets.update("default", "missing", { value: VALUE }))
      await note(registry.secrets.list("default", { page: 1, page_size: 9 }))
      await note(registry.secrets.rotateEncryptionKeys())
      expect(said).toHaveLength(7)
      expect(JSON.stringify([said, test.warnings])).not.toContain(VALUE.slice(0, 20))

      const tables = await test.openTables()
      const rows = await tables.read((queries) => queries.selectFrom("secrets").selectAll().execute())
      expect(rows).toHaveLength(1)
      for (const column of Object.values(rows[0] ?? {})) {
        const bytes = column instanceof Uint8Array ? Buffer.from(column) : Buffer.from(String(column))
        expect(bytes.includes(VALUE)).toBe(false)
      }
      const files = (await readdir(test.folder)).filter((name) => name.startsWith("registry.db"))
      expect(files.length).toBe(kind === "sqlite" ? 3 : 0)
      for (const file of files) expect((await readFile(join(test.folder, file))).includes(VALUE)).toBe(false)
    },
  )

  it("can't be read from a row that was swapped or changed", verifies("secrets.encrypted-at-rest"), async () => {
    await registry.secrets.create("default", { name: "mine", value: "a" })
    await registry.secrets.create("default", { name: "theirs", value: "b" })
    const tables = await test.openTables()
    const sealed = (name: string) =>
      tables.read((queries) =>
        queries.selectFrom("secrets").select(["value", "data_key"]).where("name", "=", name).executeTakeFirstOrThrow(),
      )
    const put = (columns: object) =>
      tables.write((queries) => queries.updateTable("secrets").set(columns).where("name", "=", "mine").execute())
    const [mine, theirs] = [await sealed("mine"), await sealed("theirs")]
    const unreadable = {
      code: "secret_not_readable",
      message: expect.stringMatching(/^Secret 'default\/mine' can't/),
    }
    for (const columns of [theirs, { data_key: theirs.data_key }, { value: theirs.value }]) {
      await put({ ...mine, ...columns })
      await expect(registry.secrets.resolve("default", "mine")).rejects.toMatchObject(unreadable)
    }
    const flipped = Buffer.from(mine.value)
    flipped[flipped.length - 1] = (flipped.at(-1) ?? 0) ^ 1
    await put({ ...mine, value: flipped })
    await expect(registry.secrets.resolve("default", "mine")).rejects.toMatchObject(unreadable)
    await put(mine)
    expect(await registry.secrets.resolve("default", "mine")).toBe("a")
  })

  it(
    "are sealed again with the newest key, and stay readable meanwhile",
    verifies("secrets.rotate.rewraps", "secrets.encryption-key-given"),
    async () => {
      const names = Array.from({ length: 230 }, (_, n) => `s${n}`)
      await Promise.all(names.map((name) => registry.secrets.create("default", { name, value: `value of ${name}` })))
      const rotating = await test.openAnother({ encryptionKeys: [SECOND, FIRST] })
      expect(await rotating.secrets.resolve("default", "s7")).toBe("value of s7")
      expect(await rotating.secrets.rotateEncryptionKeys()).toEqual({ rotated_secrets: 230, success: true })
      expect(await rotating.secrets.rotateEncryptionKeys()).toEqual({ rotated_secrets: 0, success: true })
      const newest = await test.openAnother({ encryptionKeys: [SECOND] })
      for (const name of names) expect(await newest.secrets.resolve("default", name)).toBe(`value of ${name}`)
    },
  )

  it("are not rotated if the key of one of them is missing", verifies("secrets.rotate.all-or-nothing"), async () => {
    const without = await test.openAnother({ encryptionKeys: [SECOND, THIRD] })
    await registry.secrets.create("default", { name: "old", value: "a" })
    const third = await test.openAnother({ encryptionKeys: [THIRD, FIRST] })
    await third.secrets.create("default", { name: "rotatable", value: "c" })
    await without.secrets.create("default", { name: "new", value: "b" })
    await expect(without.secrets.resolve("default", "old")).rejects.toMatchObject({
      code: "secret_not_readable",
      message: expect.stringContaining("encryption key 'first', which this server does not have"),
    })
    await expect(without.secrets.rotateEncryptionKeys()).rejects.toMatchObject({
      code: "encryption_key_missing",
      message: expect.stringMatching(/^1 secret needs the encryption key 'first'/),
    })
    expect(await third.secrets.resolve("default", "rotatable")).toBe("c")
    expect(await registry.secrets.resolve("default", "old")).toBe("a")
    await without.secrets.update("default", "old", { value: "c" })
    expect(await without.secrets.resolve("default", "old")).toBe("c")
  })

  it(
    "prevent a registry from opening without their key, or with another key of its name",
    verifies("secrets.lost-keys"),
    async () => {
      for (const name of ["a", "b"]) await registry.secrets.create("default", { name, value: name })
      const encryptionKeysSource = "the file '/srv/keys'"
      for (const key of [SECOND, { ...FIRST, key: SECOND.key }]) {
        await expect(test.openAnother({ encryptionKeys: [key], encryptionKeysSource })).rejects.toMatchObject({
          code: "encryption_key_missing",
          message: expect.stringMatching(
            /^2 secrets need the encryption key 'first': it is missing from the file '\/srv\/keys', or a different key has its name\./,
          ),
        })
      }
      const repair = await openSecretsRepair({ ...test.options, encryptionKeys: [SECOND] })
      const unreadable = await repair.list()
      expect(unreadable).toEqual(["a", "b"].map((name) => ({ workspace: "default", name, key_name: "first" })))
      expect(await repair.discard(unreadable)).toBe(2)
      await repair.close()
      const opened = await test.openAnother({ encryptionKeys: [SECOND] })
      expect((await opened.secrets.list("default", { page: 1, page_size: 9 })).data).toEqual([])
    },
  )

  it(
    "allow a registry to open if only one of them is damaged, and are logged",
    verifies("secrets.lost-keys"),
    async () => {
      for (const name of ["a", "b"]) await registry.secrets.create("default", { name, value: name })
      const tables = await test.openTables()
      await tables.write((queries) =>
        queries
          .updateTable("secrets")
          .set({ data_key: new Uint8Array(60) })
          .where("name", "=", "a")
          .execute(),
      )
      const opened = await test.openAnother()
      expect(test.warnings).toEqual([expect.stringMatching(/^1 secret can't be decrypted/)])
      expect(await opened.secrets.resolve("default", "b")).toBe("b")
      expect(await opened.integrity.listUnreadableSecrets()).toMatchObject([{ workspace: "default", name: "a" }])
      await expect(opened.secrets.rotateEncryptionKeys()).rejects.toMatchObject({ code: "encryption_key_missing" })
    },
  )

  it("keep a value that was set while the keys were rotated", async () => {
    await registry.secrets.create("default", { name: "s", value: "a" })
    const rotating = await test.openAnother({ encryptionKeys: [SECOND, FIRST] })
    await Promise.all([
      rotating.secrets.rotateEncryptionKeys(),
      rotating.secrets.update("default", "s", { value: "b" }),
    ])
    expect(await rotating.secrets.resolve("default", "s")).toBe("b")
  })
})

function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  return [Object.entries(error), error.message, error.stack, describeError(error.cause)]
}
