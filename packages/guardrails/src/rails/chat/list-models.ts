import { isAssayError, type GuardrailData } from "@assay/schemas"
import { effectiveData, MAIN } from "../../configuration/effective-data.ts"
import type { GuardrailContext } from "../../guardrail.ts"
import { openModels } from "../open-models.ts"
import { asAnswered, MAIN_ATTEMPTS } from "./ask-main.ts"
import { missingMain } from "./main-model.ts"

/** Returns the names of the models that a chat can ask. @throws `invalid_request` if no model has an endpoint */
export async function listModels(
  given: GuardrailData,
  context: GuardrailContext,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const data = effectiveData(given)
  const models = await openModels({ ...data, models: data.models.filter(({ type }) => type === MAIN) }, context)
  try {
    const main = models.endpointOf(MAIN)
    if (main === undefined) throw missingMain()
    const { client, model, isPinned } = main
    const own = model === null || model === "" ? [] : [model]
    if (isPinned && own.length > 0) return own
    const listed = await client.listModels({ signal, ...MAIN_ATTEMPTS }).catch((error: unknown) => {
      if (own.length === 0 || !isAssayError(error)) throw asAnswered(error)
      return []
    })
    return [...new Set([...own, ...listed])]
  } finally {
    await models.close()
  }
}
