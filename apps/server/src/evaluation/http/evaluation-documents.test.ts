import { EvaluationTargetBody } from "@assay/schemas"
import { verifies } from "@assay/testkit/verifies"
import { expect, it } from "vitest"
import { EVERYONE } from "../../auth/grant.ts"
import { GIVEN } from "../../testing/evaluation-bodies.ts"
import { openTestRegistry } from "../../testing/open-test-registry.ts"
import { createEvaluationDocuments } from "./evaluation-documents.ts"

it(
  "keeps every change of different keys that are made at the same time",
  verifies("eval.targets-configs"),
  async () => {
    await using test = await openTestRegistry()
    const { registry, newId } = test
    const documents = registry.evaluationTargets
    const targets = createEvaluationDocuments({ registry, newId, documents, schema: EvaluationTargetBody })
    await targets.create("default", { ...GIVEN, name: "busy" }, EVERYONE)
    const address = { namespace: "default", name: "busy" }
    const keys = ["a", "b", "c", "d"]
    await Promise.all(keys.map((key) => targets.update(address, { [key]: key }, EVERYONE)))
    expect(await targets.get(address)).toMatchObject({ ...GIVEN, ...Object.fromEntries(keys.map((key) => [key, key])) })
  },
)
