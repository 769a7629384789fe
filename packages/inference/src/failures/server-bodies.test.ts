import { type InferenceCondition, PERSONALITIES, type Personality, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { failureOf, HELLO, openTestClient } from "../testing/open-test-client.ts"

const CODES: Readonly<Record<InferenceCondition, string>> = {
  unauthorized: "inference_unauthorized",
  forbidden: "inference_unauthorized",
  "model-not-found": "model_not_found",
  "route-not-found": "inference_unreachable",
  "context-overflow": "context_overflow",
  "rate-limited": "rate_limited",
  "quota-exhausted": "quota_exhausted",
  overloaded: "server_overloaded",
  loading: "model_loading",
  "parameter-unsupported": "parameter_unsupported",
  "response-format-unsupported": "parameter_unsupported",
  "out-of-memory": "server_out_of_memory",
  "server-error": "bad_response",
  "bad-gateway": "inference_unreachable",
  "upstream-connect-error": "inference_unreachable",
  "python-ssl-error": "inference_tls",
}
const CONDITIONS = Object.keys(CODES) as InferenceCondition[]

async function failure(personality: Personality, condition: InferenceCondition) {
  const { client, server } = await openTestClient({ server: { personality }, maxRetries: 0 })
  server.faults.add({ fault: { kind: "condition", condition } })
  return failureOf(client.complete(HELLO))
}

describe.each(PERSONALITIES)("the error bodies of %s", (personality) => {
  it.each(CONDITIONS)(
    "are classified as %s",
    verifies("inference.server-bodies", "inference.coded"),
    async (condition) => {
      const error = await failure(personality, condition)
      expect(`${error.code}: ${error.message}`).toMatch(new RegExp(`^${CODES[condition]}:`))
      expect(error.context).toMatchObject({ model: "chat", body: expect.stringMatching(/\S/) as string })
    },
  )

  it("give both token numbers of an overflowing context", verifies("inference.context-numbers"), async () => {
    const error = await failure(personality, "context-overflow")
    const tokens = personality === "vllm" ? 5466 : 5210
    expect(error.context).toMatchObject({ tokens, token_limit: 4096 })
    expect(error.message).toContain(`${tokens} tokens were asked for and 4096 fit`)
  })

  it("name the parameter that is refused", async () => {
    const { context } = await failure(personality, "parameter-unsupported")
    expect(context).toMatchObject({ parameter: "max_tokens" })
  })
})

describe("a key that is refused", () => {
  it.each(["unauthorized", "forbidden"] as const)(
    "leads to advice to generate a new one: %s",
    verifies("brief.inference.key-rejected"),
    async (condition) => {
      const error = await failure("openai", condition)
      expect(error.code).toBe("inference_unauthorized")
      expect(error.message).toContain("generate a new key, and check that its account may use 'chat'")
    },
  )

  it("is distinguished from a key that was not sent", async () => {
    const { client } = await openTestClient({ server: { key: "k" }, endpoint: { apiKey: "" } })
    expect((await failureOf(client.complete(HELLO))).message).toContain("no key was sent")
  })
})
