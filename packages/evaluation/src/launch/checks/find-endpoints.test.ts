import { verifies } from "@assay/testkit/verifies"
import { expect, it } from "vitest"
import { findGuardrailEndpoints } from "./find-endpoints.ts"

const TARGET = { type: "rows" as const, rows: [] }

it(
  "finds the judges of a vendor's configuration by their base_url, so that their hosts are checked",
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
      { namespace: "default", target: TARGET, config },
      { getGuardrail },
    )
    expect(failed).toEqual([])
    expect(endpoints.map(({ endpoint }) => endpoint)).toEqual([
      { url: "http://10.0.0.1/v1", model_id: "guard" },
      { url: "https://judge.example/v1", model_id: "own" },
    ])
  },
)
