import { mkdtemp, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { startTestServer } from "../testing/start-test-server.ts"
import { describeSettings, loadSettings } from "./load-settings.ts"
import { forgetSecrets } from "./read-setting-sources.ts"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-settings-"))
})
afterEach(() => rm(folder, { recursive: true }))

const load = (env: NodeJS.ProcessEnv = {}) => loadSettings({ env, cwd: folder })

describe("loadSettings", () => {
  it(
    "has the documented defaults",
    verifies(
      "settings.host-port",
      "settings.data-dir",
      "settings.auth",
      "settings.wire-names",
      "settings.upload-idle",
      "settings.log",
      "settings.allowed-local-roots",
    ),
    () => {
      expect(load().settings).toEqual({
        HOST: "127.0.0.1",
        PORT: 8080,
        ASSAY_DATA_DIR: "./.assay",
        ASSAY_DATABASE_POOL: 10,
        ASSAY_MIGRATE: true,
        ASSAY_WORKER_JOBS: 4,
        ASSAY_ROLES: ["api", "worker"],
        ASSAY_SHARED_LOCAL: false,
        ASSAY_AUTH: "off",
        ASSAY_OIDC_AUDIENCE: [],
        ASSAY_OIDC_GRANTS: [],
        ASSAY_OIDC_SCOPES: ["openid", "profile", "email"],
        ASSAY_AUDIT_DAYS: 90,
        ASSAY_ALLOWED_ORIGINS: [],
        ASSAY_TRUST_PROXY: [],
        ASSAY_ENCRYPTION_KEYS: [],
        ASSAY_ALLOWED_HOSTS: [],
        ASSAY_ALLOWED_INFERENCE_HOSTS: [],
        ASSAY_ALLOWED_LOCAL_ROOTS: [],
        ASSAY_ALLOW_PLUGINS: false,
        ASSAY_HARNESS_ISOLATION: "sandbox",
        ASSAY_HARNESS_FOLDERS: [],
        ASSAY_WEBHOOK_SECRET: [],
        ASSAY_WEBHOOK_TEMPLATE: "event",
        ASSAY_WIRE_NAMES: "neutral",
        ASSAY_UPLOAD_IDLE_SECONDS: 10,
        ASSAY_CACHE_MAX_BYTES: 10_737_418_240,
        ASSAY_HISTORY_DAYS: 30,
        ASSAY_HISTORY_MAX_BYTES: 10_737_418_240,
        ASSAY_TRASH_HOURS: 24,
        ASSAY_LOG_LEVEL: "info",
        OTEL_SDK_DISABLED: false,
        OTEL_METRIC_EXPORT_INTERVAL: 60_000,
        ASSAY_SEND_TRACEPARENT: false,
        ASSAY_REVISION: "unknown",
      })
    },
  )

  it("prefers the environment to .env, and .env to assay.config.json", verifies("settings.order"), async () => {
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

  it("accepts a single role only with a shared database", verifies("settings.roles"), () => {
    const shared = { DATABASE_URL: "postgres://h/d", ASSAY_SHARED_LOCAL: "1" }
    expect(load({ ...shared, ASSAY_ROLES: "worker" }).settings.ASSAY_ROLES).toEqual(["worker"])
    expect(() => load({ ASSAY_ROLES: "api" })).toThrow(/ASSAY_ROLES 'api' without DATABASE_URL/)
    expect(() => load({ ...shared, ASSAY_ROLES: "api,judge" })).toThrow(/ASSAY_ROLES/)
  })

  it(
    "converts text to lists, objects and booleans",
    verifies("settings.default-storage", "settings.shared-local"),
    () => {
      const { settings } = load({
        ASSAY_ALLOWED_LOCAL_ROOTS: "/a, /b",
        ASSAY_DEFAULT_STORAGE: '{"type":"local","path":"/x"}',
        ASSAY_SHARED_LOCAL: "1",
      })
      expect(settings.ASSAY_ALLOWED_LOCAL_ROOTS).toEqual(["/a", "/b"])
      expect(settings.ASSAY_DEFAULT_STORAGE).toMatchObject({ type: "local", path: "/x" })
      expect(settings.ASSAY_SHARED_LOCAL).toBe(true)
    },
  )

  it("reads the size of the read cache, and refuses an invalid one", () => {
    expect(load({ ASSAY_CACHE_MAX_BYTES: "0" }).settings.ASSAY_CACHE_MAX_BYTES).toBe(0)
    for (const value of ["-1", "1.5", "10 GiB"]) {
      expect(() => load({ ASSAY_CACHE_MAX_BYTES: value })).toThrow(`ASSAY_CACHE_MAX_BYTES '${value}'`)
    }
  })

  it("accepts an address for notices only with a shared database", verifies("settings.notify-url"), () => {
    const shared = { DATABASE_URL: "postgres://h/d", ASSAY_SHARED_LOCAL: "1" }
    const DATABASE_NOTIFY_URL = "postgres://direct/d"
    expect(load({ ...shared, DATABASE_NOTIFY_URL }).settings).toMatchObject({ DATABASE_NOTIFY_URL })
    expect(() => load({ DATABASE_NOTIFY_URL })).toThrow(/DATABASE_NOTIFY_URL is set without DATABASE_URL/)
    const wrong = { ...shared, DATABASE_NOTIFY_URL: "http://me:hunter2@h" }
    expect(() => load(wrong)).toThrow(/DATABASE_NOTIFY_URL \(from the environment\)/)
  })

  it("reads the number of database connections, and refuses an invalid one", verifies("settings.database-pool"), () => {
    expect(load({ ASSAY_DATABASE_POOL: "25" }).settings.ASSAY_DATABASE_POOL).toBe(25)
    for (const value of ["1", "1001", "2.5", "many"]) {
      expect(() => load({ ASSAY_DATABASE_POOL: value })).toThrow(`ASSAY_DATABASE_POOL '${value}'`)
    }
  })

  it("names each wrong setting of the identity provider", verifies("oidc.settings"), () => {
    const rule = { claim: "groups", value: "ml", workspace: "default", role: "editor" }
    const good = {
      ASSAY_AUTH: "oidc",
      ASSAY_OIDC_ISSUER: "https://login.example.com/realms/main",
      ASSAY_OIDC_CLIENT_ID: "assay",
      ASSAY_OIDC_GRANTS: JSON.stringify([rule]),
      ASSAY_PUBLIC_URL: "https://assay.example.com",
    }
    const { settings } = load(good)
    expect(settings.ASSAY_OIDC_GRANTS).toEqual([rule])
    const faults: readonly (readonly [RegExp, object])[] = [
      [/ASSAY_AUTH is tokens: set ASSAY_AUTH=oidc/, { ASSAY_AUTH: "tokens" }],
      [/without ASSAY_OIDC_ISSUER/, { ASSAY_OIDC_ISSUER: undefined }],
      [/'login' is not an address/, { ASSAY_OIDC_ISSUER: "login" }],
      [/must begin with https/, { ASSAY_OIDC_ISSUER: "http://login.example.com" }],
      [/no user name, query or fragment/, { ASSAY_OIDC_ISSUER: "https://a:b@login.example.com" }],
      [/so that no token would be accepted/, { ASSAY_OIDC_CLIENT_ID: undefined }],
      [
        /SECRET is set without/,
        { ASSAY_OIDC_CLIENT_ID: undefined, ASSAY_OIDC_CLIENT_SECRET: "x", ASSAY_OIDC_AUDIENCE: "a" },
      ],
      [/without ASSAY_PUBLIC_URL/, { ASSAY_PUBLIC_URL: undefined }],
      [/ASSAY_PUBLIC_URL 'http:[^]* must begin with https/, { ASSAY_PUBLIC_URL: "http://assay.example.com" }],
      [/so that nobody would have rights/, { ASSAY_OIDC_GRANTS: undefined }],
      [
        /GRANTS.0.workspace 'No' can't be the name/,
        { ASSAY_OIDC_GRANTS: JSON.stringify([{ ...rule, workspace: "No" }]) },
      ],
      [/ASSAY_OIDC_GRANTS.0.role/, { ASSAY_OIDC_GRANTS: JSON.stringify([{ ...rule, role: "chief" }]) }],
      [/ASSAY_OIDC_GRANTS/, { ASSAY_OIDC_GRANTS: "[{" }],
      [/lacks openid/, { ASSAY_OIDC_SCOPES: "email" }],
    ]
    for (const [message, change] of faults) expect(() => load({ ...good, ...change })).toThrow(message)
    expect(() =>
      load({ ...good, ASSAY_OIDC_ISSUER: "http://127.0.0.1:9", ASSAY_PUBLIC_URL: "http://localhost" }),
    ).not.toThrow()
  })

  it("names every wrong setting in one message, without secrets", verifies("settings.checked-whole"), () => {
    const env = {
      PORT: "eighty",
      ASSAY_AUTH: "maybe",
      ASSAY_LOG_LEVEL: "loud",
      DATABASE_URL: "mysql://user:hunter2@host/db",
    }
    expect(() => load({ PORT: "0x1F90" })).toThrow(/PORT '0x1F90'[^]*ust be a whole number from 0 to 65535/)
    expect(() => load({ ASSAY_UPLOAD_IDLE_SECONDS: "1e9" })).toThrow(/number above 0 and at most 86400/)
    expect(() => load(env)).toThrow(/PORT 'eighty'[^]*DATABASE_URL[^]*ASSAY_AUTH 'maybe'[^]*ASSAY_LOG_LEVEL 'loud'/)
    expect(() => load(env)).not.toThrow(/hunter2/)
  })

  it("refuses a HOST other than loopback without auth", verifies("settings.no-open-door"), () => {
    for (const HOST of ["0.0.0.0", "::", "192.168.1.5", "example.org"])
      expect(() => load({ HOST })).toThrow(/ASSAY_AUTH=tokens/)
    for (const HOST of ["127.0.0.1", "127.1.2.3", "::1", "localhost"]) expect(load({ HOST }).settings.HOST).toBe(HOST)
    expect(load({ HOST: "0.0.0.0", ASSAY_AUTH: "tokens" }).settings.HOST).toBe("0.0.0.0")
  })

  it("refuses a shared database with local storage", verifies("settings.shared-local"), () => {
    const DATABASE_URL = "postgres://localhost/assay"
    expect(() => load({ DATABASE_URL })).toThrow(/ASSAY_SHARED_LOCAL/)
    expect(load({ DATABASE_URL, ASSAY_SHARED_LOCAL: "1" }).settings.DATABASE_URL).toBe(DATABASE_URL)
  })

  it(
    "accepts an object store as default storage for servers that share a database",
    verifies("settings.default-storage", "settings.shared-local"),
    () => {
      const storage = { type: "s3", bucket: "b", access_key_id_secret: "id", secret_access_key_secret: "system/key" }
      const { settings } = load({
        DATABASE_URL: "postgres://localhost/assay",
        ASSAY_DEFAULT_STORAGE: JSON.stringify(storage),
      })
      expect(settings.ASSAY_DEFAULT_STORAGE).toMatchObject({ ...storage, type: "objstore" })
    },
  )

  it.each([
    ['{"type":"objstore"}', /ASSAY_DEFAULT_STORAGE\.bucket[^]*field required/],
    ['{"type":"objstore","bucket":"b","buket":"c"}', /ASSAY_DEFAULT_STORAGE\.buket 'c'/],
    ['{"type":"local","path":"relative"}', /ASSAY_DEFAULT_STORAGE: [^]*'relative' must be absolute/],
    ['{"type":"hub","repo_id":"a/b"}', /ASSAY_DEFAULT_STORAGE: [^]*type 'hub' is read-only/],
    ['{"type":"objstore","bucket":"b","access_key_id_secret":"id"}', /go together/],
    [
      '{"type":"objstore","bucket":"b","use_sdk_auth":true,"access_key_id_secret":"id","secret_access_key_secret":"key"}',
      /`use_sdk_auth`/,
    ],
    ["no JSON", /ASSAY_DEFAULT_STORAGE 'no JSON'/],
  ])(
    "refuses the default storage %s",
    verifies("settings.default-storage", "settings.checked-whole"),
    (storage, message) => {
      expect(() => load({ ASSAY_DEFAULT_STORAGE: storage })).toThrow(message)
    },
  )

  it("refuses invalid hosts", verifies("settings.allowed-hosts", "settings.checked-whole"), () => {
    expect(load({ ASSAY_ALLOWED_HOSTS: "s3.example:9000, 10.0.0.0/8" }).settings.ASSAY_ALLOWED_HOSTS).toHaveLength(2)
    const inference = { ASSAY_ALLOWED_INFERENCE_HOSTS: "judge:8000" }
    expect(load(inference).settings.ASSAY_ALLOWED_INFERENCE_HOSTS).toEqual(["judge:8000"])
    expect(() => load({ ASSAY_ALLOWED_INFERENCE_HOSTS: "a:b" })).toThrow(/ASSAY_ALLOWED_INFERENCE_HOSTS has 'a:b'/)
    const wrong = { ASSAY_ALLOWED_HOSTS: "s3.example, 10.0.0.0/99,http://a/b" }
    expect(() => load(wrong)).toThrow(/'10.0.0.0\/99'[^]*'http:\/\/a\/b'/)
  })

  it("refuses encryption keys in a variable and in a file at once", () => {
    expect(() =>
      load({
        ASSAY_ENCRYPTION_KEYS: `a:${Buffer.alloc(32, 1).toString("base64")}`,
        ASSAY_ENCRYPTION_KEYS_FILE: "keys",
      }),
    ).toThrow(/are both set: remove one of them/)
  })

  it("reports variables that look like settings but are not", () => {
    expect(load({ ASSAY_DATADIR: "x", ASSAY_URL: "y" }).unknown).toEqual(["ASSAY_DATADIR"])
  })

  it("describes the current settings, with secrets masked", verifies("cli.config"), () => {
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

describe("the data folder", () => {
  it(
    "is created for its owner only and locked by one server at a time",
    verifies("settings.data-dir", "settings.free-port"),
    async () => {
      await using server = await startTestServer({}, folder)
      expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
      expect(((await stat(join(folder, "data"))).mode & 0o777).toString(8)).toBe("700")
      await expect(startTestServer({}, folder)).rejects.toMatchObject({
        code: "bad_settings",
        message: expect.stringContaining("Another server"),
      })
    },
  )
})

it(
  "forgetSecrets removes the secret settings from an environment, and nothing else",
  verifies("harness.trusted"),
  () => {
    const env = { ASSAY_ENCRYPTION_KEYS: "a", DATABASE_URL: "b", ASSAY_HARNESS_ENVIRONMENT: "{}", PORT: "1", HOME: "/" }
    forgetSecrets(env)
    expect(env).toEqual({ PORT: "1", HOME: "/" })
  },
)
