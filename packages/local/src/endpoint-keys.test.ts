import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { endpointKey, secretKey, withKeys } from "./endpoint-keys.ts"

const isKeyHost = (url: string) => url.startsWith("http://127.0.0.1:9/")
const env = { NAMED_KEY: "sk-named", DEFAULT: "sk-default", EMPTY_TOKEN: "", HOME: "/h", ASSAY_TOKEN: "mine" }
const variables = { env, defaultVariable: "DEFAULT", isKeyHost }
const endpoint = { url: "http://127.0.0.1:9/v1", model_id: "m" }

describe("endpointKey", () => {
  it.each([
    [{ api_key: "sk-written", api_key_env: "NAMED_KEY" }, "sk-written"],
    [{ api_key_env: "NAMED_KEY" }, "sk-named"],
    [{ api_key_secret: "stored" }, "sk-default"],
    [{}, "sk-default"],
  ])("returns for %j the key %s", (fields, key) => {
    expect(endpointKey(variables, { ...endpoint, ...fields })).toBe(key)
  })

  it("returns undefined if the endpoint names no key and the default variable is not set", () => {
    expect(endpointKey({ ...variables, env: {} }, endpoint)).toBeUndefined()
  })

  it.each([
    [
      { api_key_env: "EMPTY_TOKEN" },
      "the variable EMPTY_TOKEN, which is not set",
      "Set EMPTY_TOKEN to the key: export EMPTY_TOKEN=…",
    ],
    [{ api_key_secret: "stored" }, "which only a server has", /^Set [A-Z_]+ to the key: export [A-Z_]+=…$/],
  ])("fails for %j if its variable is empty, with a message that contains: %s", (fields, message, remedy) => {
    const empty = { ...variables, env: { EMPTY_TOKEN: "" } }
    expect(() => endpointKey(empty, { ...endpoint, ...fields })).toThrow(
      expect.objectContaining({
        code: "bad_settings",
        message: expect.stringContaining(message),
        context: { remedy: expect.stringMatching(remedy) },
      }),
    )
  })

  it.each([
    ["HOME", /'HOME' is not taken for a key: its name does not contain KEY, TOKEN or SECRET/u],
    ["ASSAY_TOKEN", /'ASSAY_TOKEN' is not taken for a key: its name is a setting of Assay/u],
    ["assay_encryption_keys", /is a setting of Assay/u],
    ["DATABASE_SECRET", /is a setting of Assay/u],
  ])("never reads %s for an endpoint, also on this machine", (variable, message) => {
    expect(() => endpointKey(variables, { ...endpoint, api_key_env: variable })).toThrow(
      expect.objectContaining({ code: "key_not_allowed", message: expect.stringMatching(message) }),
    )
  })

  it.each([{}, { api_key_env: "NAMED_KEY" }, { api_key_secret: "stored" }])(
    "sends no key of this machine for %j to a host that only the file names",
    verifies("cli.keys.hosts"),
    (fields) => {
      const elsewhere = { ...endpoint, url: "https://collector.example/v1", ...fields }
      const refusal = {
        code: "key_not_allowed",
        message: expect.stringMatching(/not sent to 'collector\.example'.*--key-host collector\.example/u),
      }
      expect(() => endpointKey(variables, elsewhere)).toThrow(expect.objectContaining(refusal))
      expect(() =>
        withKeys(variables, { target: { model: { api_endpoint: { ...elsewhere, api_key_env: "NAMED_KEY" } } } }),
      ).toThrow(expect.objectContaining(refusal))
      expect(endpointKey(variables, { ...elsewhere, api_key: "sk-written" })).toBe("sk-written")
      expect(() => secretKey(variables, "stored", elsewhere.url)).toThrow(expect.objectContaining(refusal))
    },
  )
})

describe("withKeys", () => {
  it("replaces api_key_env of every endpoint by the key, and changes no rows of the user", () => {
    const job = {
      target: { model: { api_endpoint: { ...endpoint, api_key_env: "NAMED_KEY" } } },
      rows: [{ api_endpoint: { api_key_env: "NAMED_KEY" } }],
      judges: [{ api_endpoint: { ...endpoint, api_key_secret: "stored" } }],
    }
    expect(withKeys(variables, job)).toEqual({
      ...job,
      target: { model: { api_endpoint: { ...endpoint, api_key: "sk-named" } } },
    })
  })
})
