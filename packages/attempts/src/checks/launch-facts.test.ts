import {
  createBodyFields,
  FIELD_RULES,
  maskKeys,
  secretsNamedIn,
  storeInlineKeys,
  type BodyFields,
  type EvaluationConfigBody,
  type EvaluationTargetBody,
} from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import type { LaunchSubject } from "./launch-ports.ts"
import { findGuardrailEndpoints } from "./check-endpoints.ts"
import { readLaunchFacts } from "./launch-facts.ts"

const endpointsOf = (subject: Pick<LaunchSubject, "target" | "config">, fields?: BodyFields) =>
  readLaunchFacts({ namespace: "default", ...subject }, fields).endpoints

const TARGET = { type: "rows" as const, rows: [] }

it(
  "The judges of a vendor's configuration are found by their base_url, so that their hosts are checked",
  verifies("rails.vendor-configurations"),
  async () => {
    const models = [
      { type: "main", parameters: { base_url: "http://10.0.0.1/v1", model_name: "guard" } },
      { type: "other", model: "own", url: "https://judge.example/v1", parameters: { base_url: "http://10.0.0.2/v1" } },
      { type: "broken", parameters: null },
      null,
    ]
    const config = { type: "content_safety", tasks: { safety: { params: { guardrail: { models } } } } } as const
    const getGuardrail = () => Promise.reject(new Error("no configuration is named"))
    const { endpoints, failed } = await findGuardrailEndpoints(
      readLaunchFacts({ namespace: "default", target: TARGET, config }).guardrails,
      { getGuardrail },
    )
    expect(failed).toEqual([])
    expect(endpoints.map(({ endpoint }) => endpoint)).toEqual([
      { url: "http://10.0.0.1/v1", model_id: "guard" },
      { url: "https://judge.example/v1", model_id: "own" },
    ])
  },
)

it("A new line in the table of fields is enough to mask, store, reference and host-check a field", async () => {
  const fields = createBodyFields({
    ...FIELD_RULES,
    vendor_token: { kind: "key", reference: "vendor_token_secret" },
    critic_endpoint: { kind: "endpoint" },
    vendor_credential: { kind: "secret-reference" },
    vendor_rows: { kind: "rows" },
  })
  const critic = { url: "https://critic/v1", model_id: "critic", vendor_token: "vt-1", vendor_credential: "shared/key" }
  const target = { type: "rows", vendor_rows: [{ vendor_token: "a column" }] } as EvaluationTargetBody
  const config = { type: "custom", params: { critic_endpoint: critic } } as EvaluationConfigBody
  const stored = await storeInlineKeys({ target, config }, async (key) => `default/of-${key}`, { fields })
  expect(stored).toEqual({
    target,
    config: {
      type: "custom",
      params: {
        critic_endpoint: { ...critic, vendor_token: "******", vendor_token_secret: "default/of-vt-1" },
      },
    },
  })
  expect(JSON.stringify(maskKeys({ target, config }, fields))).not.toMatch(/vt-1|a column/)
  expect(secretsNamedIn(stored, "default", fields)).toEqual([
    { workspace: "default", name: "of-vt-1" },
    { workspace: "shared", name: "key" },
  ])
  expect(endpointsOf({ target, config }, fields)).toEqual([{ endpoint: critic, locations: ["config.params"] }])
  expect(endpointsOf({ target, config })).toEqual([])
})

it("An endpoint in rows or custom fields is data of the user, and is not called", () => {
  const model = { api_endpoint: { url: "https://host/v1", model_id: "m" } }
  const target = { type: "rows", rows: [model], custom_fields: model } as EvaluationTargetBody
  expect(endpointsOf({ target, config: { type: "custom" } })).toEqual([])
})
