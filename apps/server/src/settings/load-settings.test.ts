import { mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startTestServer } from "../testing/start-test-server.ts"
import { describeSettings } from "./describe-settings.ts"
import { openEncryptionKeys } from "./encryption-keys.ts"
import { loadSettings } from "./load-settings.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-settings-"))
})
afterEach(() => rm(folder, { recursive: true }))

const load = (env: NodeJS.ProcessEnv = {}) => loadSettings({ env, cwd: folder })

describe("loading settings", () => {
  it("has the documented defaults [settings.host-port, settings.data-dir, settings.auth, settings.wire-names, settings.upload-idle, settings.log, settings.allowed-local-roots]", () => {
    expect(load().settings).toEqual({
      HOST: "127.0.0.1",
      PORT: 8080,
      ASSAY_DATA_DIR: "./.assay",
      ASSAY_SHARED_LOCAL: false,
      ASSAY_AUTH: "off",
      ASSAY_ENCRYPTION_KEYS: [],
      ASSAY_ALLOWED_LOCAL_ROOTS: [],
      ASSAY_WIRE_NAMES: "neutral",
      ASSAY_UPLOAD_IDLE_SECONDS: 10,
      ASSAY_LOG_LEVEL: "info",
      ASSAY_REVISION: "unknown",
    })
  })

  it("takes the environment before .env before assay.config.json [settings.order]", async () => {
    await writeFile(
      join(folder, "assay.config.json"),
      JSON.stringify({ PORT: 1, HOST: "127.0.0.3", ASSAY_LOG_LEVEL: "warn" }),
    )
    await writeFile(join(folder, ".env"), "PORT=2\nHOST=127.0.0.2\n")
    const { settings, origins } = load({ PORT: "3" })
    expect([settings.PORT, settings.HOST, settings.ASSAY_LOG_LEVEL]).toEqual([3, "127.0.0.2", "warn"])
    expect(Object.fromEntries(origins)).toEqual({
      PORT: "the environment",
      HOST: ".env",
      ASSAY_LOG_LEVEL: "assay.config.json",
    })
  })

  it("reads lists, objects and booleans from text [settings.default-storage, settings.shared-local]", () => {
    const { settings } = load({
      ASSAY_ALLOWED_LOCAL_ROOTS: "/a, /b",
      ASSAY_DEFAULT_STORAGE: '{"type":"local","path":"/x"}',
      ASSAY_SHARED_LOCAL: "1",
    })
    expect(settings.ASSAY_ALLOWED_LOCAL_ROOTS).toEqual(["/a", "/b"])
    expect(settings.ASSAY_DEFAULT_STORAGE).toEqual({ type: "local", path: "/x" })
    expect(settings.ASSAY_SHARED_LOCAL).toBe(true)
  })

  it("names every wrong setting in one message, and no secret [settings.checked-whole]", () => {
    const env = {
      PORT: "eighty",
      ASSAY_AUTH: "maybe",
      ASSAY_LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://user:hunter2@host/db",
    }
    expect(() => load(env)).toThrow(/PORT 'eighty'[^]*DATABASE_URL[^]*ASSAY_AUTH 'maybe'[^]*ASSAY_LOG_LEVEL 'loud'/)
    expect(() => load(env)).not.toThrow(/hunter2/)
  })

  it("refuses an open door: another address than loopback without auth [settings.no-open-door]", () => {
    for (const HOST of ["0.0.0.0", "::", "192.168.1.5", "example.org"])
      expect(() => load({ HOST })).toThrow(/ASSAY_AUTH=tokens/)
    for (const HOST of ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) expect(load({ HOST }).settings.HOST).toBe(HOST)
    expect(load({ HOST: "0.0.0.0", ASSAY_AUTH: "tokens" }).settings.HOST).toBe("0.0.0.0")
  })

  it("refuses a shared database with files that nobody shares [settings.shared-local]", () => {
    const DATABASE_URL = "postgres://localhost/assay"
    expect(() => load({ DATABASE_URL })).toThrow(/ASSAY_SHARED_LOCAL/)
    expect(load({ DATABASE_URL, ASSAY_SHARED_LOCAL: "1" }).settings.DATABASE_URL).toBe(DATABASE_URL)
  })

  it("tells of variables that look like settings and are none", () => {
    expect(load({ ASSAY_DATADIR: "x", ASSAY_URL: "y" }).unknown).toEqual(["ASSAY_DATADIR"])
  })

  it("describes what is in force, secrets masked [cli.config]", () => {
    const described = describeSettings(
      load({ ASSAY_ENCRYPTION_KEYS: `k:${Buffer.alloc(32).toString("base64")}`, PORT: "0" }),
    )
    expect(described.find(({ name }) => name === "ASSAY_ENCRYPTION_KEYS")).toMatchObject({
      value: "******",
      from: "the environment",
    })
    expect(described.find(({ name }) => name === "PORT")).toMatchObject({ value: 0, from: "the environment" })
    expect(described.find(({ name }) => name === "DATABASE_URL")).toMatchObject({ value: null, from: "default" })
  })
})

describe("encryption keys", () => {
  const key = Buffer.alloc(32, 7)
  const random = () => key

  it("reads name:base64, newest first [settings.encryption-keys-form, secrets.encryption-key-given]", () => {
    const keys = openEncryptionKeys(
      [`new:${key.toString("base64")}`, `old:${Buffer.alloc(32).toString("base64")}`],
      folder,
      random,
    )
    expect(keys.map(({ name }) => name)).toEqual(["new", "old"])
    expect(Buffer.from(keys[0]?.key ?? [])).toEqual(key)
  })

  it("makes one on first start and finds it on the next [settings.encryption-keys, secrets.encryption-key-made]", async () => {
    const first = openEncryptionKeys([], folder, random)
    expect(openEncryptionKeys([], folder, () => Buffer.alloc(32, 9))).toEqual(first)
    expect(((await stat(join(folder, "encryption-keys"))).mode & 0o777).toString(8)).toBe("600")
  })

  it("refuses what is no key without showing it", () => {
    const short = `k:${Buffer.alloc(16, 1).toString("base64")}`
    expect(() => openEncryptionKeys([short], folder, random)).toThrow(/ASSAY_ENCRYPTION_KEYS, key 1, must be/)
    expect(() => openEncryptionKeys([short], folder, random)).not.toThrow(/AQEB/)
    const good = `k:${key.toString("base64")}`
    expect(() => openEncryptionKeys([good, good], folder, random)).toThrow(/twice/)
  })
})

describe("the data folder", () => {
  it("is made for its owner alone and held by one server at a time [settings.data-dir, settings.free-port]", async () => {
    await using server = await startTestServer({}, folder)
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    expect(((await stat(join(folder, "data"))).mode & 0o777).toString(8)).toBe("700")
    await expect(startTestServer({}, folder)).rejects.toMatchObject({
      code: "bad_settings",
      message: expect.stringContaining("Another server"),
    })
  })
})
