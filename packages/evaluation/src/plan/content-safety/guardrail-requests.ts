import { openGuardrail, parseLabelledPrompt, type GuardrailContext } from "@assay/guardrails"
import { AssayError, type RowRequest } from "@assay/schemas"
import type { RenderContext } from "../task-shape.ts"
import type { SourceRow } from "@assay/scoring"
import { withTarget, type TargetGuardrail } from "./target-guardrail.ts"

/** A context in which no endpoint may be called: judges render their prompts and then fail. */
const NO_CALLS: GuardrailContext = {
  inference: { now: () => 0, random: () => 0, sleep: () => Promise.resolve() },
  resolveSecret: () => Promise.reject(new AssayError("internal", "Rendering a prompt needs no secret.")),
  now: () => 0,
  newId: () => "",
  checkEndpoint(url) {
    throw new AssayError("host_not_allowed", `Prompts are only rendered: '${url}' is not called.`)
  },
}

/**
 * Renders the prompts of a guardrail about a labelled prompt, and sends nothing. Judges that an ensemble asks only after an answer
 * are asked as if each earlier one had failed. @throws `not_found`, `invalid_request`, `rows_invalid`, `template_error`
 */
export async function renderGuardrailRequests(
  { guardrail, endpoint }: Pick<TargetGuardrail, "guardrail" | "endpoint">,
  item: SourceRow["item"],
  { getGuardrail }: Pick<RenderContext, "getGuardrail">,
): Promise<readonly RowRequest[]> {
  const data = typeof guardrail === "string" ? await getGuardrail(guardrail) : guardrail
  const { prompt, response } = parseLabelledPrompt(item, 1)
  const opened = await openGuardrail(
    endpoint === undefined ? data : withTarget(data, endpoint, { hasKey: false }),
    NO_CALLS,
  )
  try {
    const { rails } = await opened.checkPrompt(response === undefined ? { prompt } : { prompt, response }, {
      prompts: true,
    })
    return rails.flatMap(({ answers }) =>
      answers.map(({ flow, prompt: messages, error }) => {
        if (messages !== undefined) return { to: flow, body: { messages } }
        throw error ?? new AssayError("internal", `The prompt of '${flow}' was not rendered.`)
      }),
    )
  } finally {
    await opened.close()
  }
}
