import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { maskKeys, storeInlineKeys } from "./inline-keys.ts"

const KEY = "sk-very-secret-1234"
const model = (more: object) => ({ api_endpoint: { url: "https://host/v1", model_id: "m", ...more } })

/** JSON of any shape with inline keys. */
const withKeys = fc.letrec<{ node: unknown }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, 1, true, "text"),
    fc.array(tie("node"), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom("params", "model", "__proto__", "rows", "hf"), tie("node"), { maxKeys: 3 }),
    fc
      .tuple(fc.constantFrom("api_key", "hf_token"), fc.nat(3), tie("node"))
      .map(([name, key, more]) => ({ [name]: `${KEY}-${key}`, more })),
  ),
})).node

describe("masked keys", () => {
  it.each(["api_key", "hf_token", "apiKey", "Authorization", "X-API-Key"])(
    "hide the value of %s",
    verifies("eval.inline-keys"),
    (name) => {
      expect(maskKeys({ a: [{ [name]: KEY, url: "u" }] })).toEqual({ a: [{ [name]: "******", url: "u" }] })
    },
  )

  it("keep references to secrets and names of variables", () => {
    const body = model({ api_key_secret: "shared/key", api_key_env: "OPENAI_API_KEY" })
    expect(maskKeys(body)).toBe(body)
  })

  it("keep a property of a JSON schema with the name of a key", () => {
    const schema = { properties: { password: { type: "string", minLength: 8 } } }
    expect(maskKeys(schema)).toEqual(schema)
  })

  it("keep the references of a harness under any names of variables", verifies("harness.secrets"), () => {
    const harness = { secrets: { HF_TOKEN: "shared/hub-token", api_key: "own" }, environment: { API_KEY: KEY } }
    const masked = { ...harness, environment: { API_KEY: "******" } }
    expect(maskKeys({ config: { harness } })).toEqual({ config: { harness: masked } })
    const { environment: _environment, ...references } = harness
    expect(maskKeys({ harness: references })).toEqual({ harness: references })
  })

  it("are replaced at any depth", verifies("eval.inline-keys"), () => {
    fc.assert(
      fc.property(withKeys, (body) => {
        expect(JSON.stringify(maskKeys(body))).not.toContain(KEY)
      }),
    )
  })
})

describe("inline keys", () => {
  const storeIn = (secrets: string[]) => async (key: string) => `eval-key-${secrets.push(key)}`

  it("become secrets in every endpoint", verifies("eval.inline-keys"), async () => {
    const secrets: string[] = []
    const judge = { type: "llm-judge", params: { model: model({ api_key: "other" }) } }
    const body = {
      target: { model: model({ api_key: KEY }) },
      config: { tasks: { qa: { metrics: { judge } } }, params: { extra: { hf_token: KEY } } },
    }
    const stored = await storeInlineKeys(body, storeIn(secrets))
    expect(secrets).toEqual([KEY, "other"])
    expect(stored.target.model).toEqual(model({ api_key: "******", api_key_secret: "eval-key-1" }))
    expect(stored.config.params.extra).toEqual({ hf_token: "******", hf_token_secret: "eval-key-1" })
    expect(JSON.stringify(stored)).toContain('"api_key":"******","api_key_secret":"eval-key-2"')
  })

  it.each([[{ api_key: KEY, api_key_secret: "old" }], [{ api_key_secret: "old", api_key: KEY }]])(
    "win over a reference beside them: %j",
    async (endpoint) => {
      expect(await storeInlineKeys(endpoint, async () => "new")).toEqual({ api_key: "******", api_key_secret: "new" })
    },
  )

  it("that are masked already are not keys, so an answer can be sent back", async () => {
    const body = model({ api_key: "******", api_key_secret: "eval-key-1" })
    expect(await storeInlineKeys(body, storeIn([]))).toBe(body)
  })

  it(
    "in the variables of a harness become its secrets, and its references do not change",
    verifies("harness.secrets"),
    async () => {
      const secrets: string[] = []
      const harness = {
        command: ["x"],
        environment: { API_KEY: KEY, MODE: "quick" },
        secrets: { hf_token: "hub-token" },
      }
      expect(await storeInlineKeys({ harness }, storeIn(secrets))).toEqual({
        harness: {
          command: ["x"],
          environment: { MODE: "quick" },
          secrets: { hf_token: "hub-token", API_KEY: "eval-key-1" },
        },
      })
      expect(secrets).toEqual([KEY])
      const references = { harness: { command: ["x"], secrets: { hf_token: "hub-token" } } }
      expect(await storeInlineKeys(references, storeIn(secrets))).toBe(references)
    },
  )

  it("are not searched in rows of the user", async () => {
    const secrets: string[] = []
    const tools = [{ name: "login", answers: [{ when: { password: "1234" }, result: { api_key: "a key" } }] }]
    const body = { type: "rows", rows: [{ api_key: "what is an API key?" }], tools, state: { password: "1234" } }
    expect(await storeInlineKeys(body, storeIn(secrets))).toBe(body)
    expect(secrets).toEqual([])
  })

  it("are replaced at any depth, and other values do not change", verifies("eval.inline-keys"), async () => {
    await fc.assert(
      fc.asyncProperty(withKeys, async (body) => {
        const secrets: string[] = []
        const stored = maskKeys(await storeInlineKeys(body, storeIn(secrets)))
        expect(JSON.stringify(stored)).not.toContain(KEY)
        expect(new Set(secrets).size).toBe(secrets.length)
      }),
    )
  })
})
