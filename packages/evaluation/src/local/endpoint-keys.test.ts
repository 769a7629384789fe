import { describe, expect, it } from "vitest"
import { endpointKey, withKeys } from "./endpoint-keys.ts"

const variables = { env: { NAMED: "sk-named", DEFAULT: "sk-default", EMPTY: "" }, defaultVariable: "DEFAULT" }
const endpoint = { url: "http://127.0.0.1:9/v1", model_id: "m" }

describe("endpointKey", () => {
  it.each([
    [{ api_key: "sk-written", api_key_env: "NAMED" }, "sk-written"],
    [{ api_key_env: "NAMED" }, "sk-named"],
    [{ api_key_secret: "stored" }, "sk-default"],
    [{}, "sk-default"],
  ])("returns for %j the key %s", (fields, key) => {
    expect(endpointKey(variables, { ...endpoint, ...fields })).toBe(key)
  })

  it("returns undefined if the endpoint names no key and the default variable is not set", () => {
    expect(endpointKey({ ...variables, env: {} }, endpoint)).toBeUndefined()
  })

  it.each([
    [{ api_key_env: "EMPTY" }, "EMPTY (api_key_env), which is not set"],
    [{ api_key_secret: "stored" }, "which only a server has"],
  ])("fails for %j if its variable is empty, with a message that contains: %s", (fields, message) => {
    const empty = { env: { EMPTY: "" }, defaultVariable: "DEFAULT" }
    expect(() => endpointKey(empty, { ...endpoint, ...fields })).toThrow(
      expect.objectContaining({ code: "bad_usage", message: expect.stringContaining(message) }),
    )
  })
})

describe("withKeys", () => {
  it("replaces api_key_env of every endpoint by the key, and changes no rows of the user", () => {
    const job = {
      target: { model: { api_endpoint: { ...endpoint, api_key_env: "NAMED" } } },
      rows: [{ api_endpoint: { api_key_env: "NAMED" } }],
      judges: [{ api_endpoint: { ...endpoint, api_key_secret: "stored" } }],
    }
    expect(withKeys(variables, job)).toEqual({
      ...job,
      target: { model: { api_endpoint: { ...endpoint, api_key: "sk-named" } } },
    })
  })
})
