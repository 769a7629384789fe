import { randomUUID } from "node:crypto"
import { verifies } from "@assay/testkit"
import { expect, it } from "vitest"
import { openJobRegistry } from "@assay/evaluation/testing"
import { createEvaluationDocuments } from "./evaluation-documents.ts"

it(
  "Changes of different keys of a target at the same time are all kept",
  verifies("eval.targets-configs"),
  async () => {
    await using test = await openJobRegistry()
    const { registry } = test
    const targets = createEvaluationDocuments({
      registry,
      newId: (prefix) => `${prefix}-${randomUUID()}`,
      documents: registry.evaluationTargets,
      checkBody: () => {},
    })
    const rights = { sees: () => true, edits: () => true }
    const body = { type: "rows" as const, rows: [{ answer: "yes" }] }
    await targets.create("default", { ...body, name: "busy" }, rights)
    const address = { workspace: "default", name: "busy" }
    const keys = ["a", "b", "c", "d"]
    await Promise.all(keys.map((key) => targets.update(address, { [key]: key }, rights)))
    expect(await targets.get(address)).toMatchObject({ ...body, ...Object.fromEntries(keys.map((key) => [key, key])) })
  },
)
