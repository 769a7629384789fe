import { createValueChecker } from "@assay/contents"
import type { Ask } from "../ask.ts"
import type { ReasoningMarks } from "../ask-model.ts"
import {
  effectiveData,
  openGuardrail,
  parseLabelledPrompt,
  reduceCheck,
  withModels,
  type Guardrail,
} from "@assay/guardrails"
import {
  AssayError,
  ERROR_CATALOGUE,
  isAssayError,
  type ApiEndpoint,
  type ErrorCode,
  type GuardrailData,
  type GuardrailModel,
} from "@assay/schemas"
import type { RowSource, RunParams, ScoringContext, SourceRow } from "@assay/scoring"

export interface TargetGuardrail {
  /** The name of a stored configuration, or the configuration itself. */
  readonly guardrail: string | GuardrailData
  /** The target's model. It judges for every model of the configuration that has no address. */
  readonly endpoint: ApiEndpoint | undefined
  /** How the reasoning of that model is marked. */
  readonly reasoning?: ReasoningMarks | undefined
  readonly run: RunParams
}

/** The secret reference under which the guardrail gets the key of the target. */
const TARGET_KEY = "evaluation-target-key"

/** Opens the guardrail that is evaluated. It is closed with the plan. @throws `not_found`, `secret_not_readable`, `invalid_request` */
export async function openTargetGuardrail(
  { guardrail, endpoint, reasoning, run }: TargetGuardrail,
  context: ScoringContext,
): Promise<Guardrail> {
  const { environment, onClose } = context
  const data = typeof guardrail === "string" ? await environment.getGuardrail(guardrail) : guardrail
  const key = endpoint === undefined ? undefined : await environment.resolveKey(endpoint)
  const hasKey = key !== undefined
  const judged = endpoint === undefined ? data : withTarget(data, endpoint, { hasKey, reasoning })
  const opened = await openGuardrail(judged, {
    inference: environment.inference,
    inferenceDefaults: run.callLimits,
    // The key of the target belongs to its own address: a configuration could name it for another one.
    resolveSecret: (reference, url) =>
      reference === TARGET_KEY && key !== undefined && url === endpoint?.url
        ? Promise.resolve(key)
        : environment.resolveSecret(reference, url),
    checkJson: (schema, text) => createValueChecker(schema, environment.schemas).check(text),
    now: environment.now,
    newId: () => environment.newId("chatcmpl"),
  })
  onClose(() => opened.close())
  return opened
}

/** Returns a configuration in which the target judges for models without an address. */
export function withTarget(
  data: GuardrailData,
  { url, model_id: model, ca }: ApiEndpoint,
  { hasKey, reasoning }: { readonly hasKey: boolean; readonly reasoning?: ReasoningMarks | undefined },
): GuardrailData {
  const own = {
    url,
    model,
    ...(hasKey ? { api_key_secret: TARGET_KEY } : {}),
    ...(ca === undefined ? {} : { ca }),
  }
  const open = effectiveData(data)
    .models.filter((one) => one.url === undefined)
    .map((one): GuardrailModel => ({ ...one, ...own, ...(one.reasoning_config == null ? marksOf(reasoning) : {}) }))
  return withModels(data, open)
}

/** Returns the marks in the form of a guardrail. Without a start, an end counts whose tag is a usual one. */
function marksOf(marks: ReasoningMarks | undefined): Pick<GuardrailModel, "reasoning_config"> {
  if (marks === undefined || marks.start === null) return {}
  return { reasoning_config: { remove_reasoning_traces: true, start_token: marks.start, end_token: marks.end } }
}

export interface AskGuardrailOptions {
  /** Ask for log-probabilities, which allow a ROC curve without repeats. Default false. */
  readonly logprobs?: boolean
}

/** Checks each labelled prompt with a guardrail. The sample's response is the joint result of its rails. If a judge fails, the row fails. */
export function askGuardrail(guardrail: Guardrail, { logprobs = false }: AskGuardrailOptions = {}): Ask {
  return {
    kind: "call",
    async call(item, { signal }) {
      const { prompt, response } = parseLabelledPrompt(item, 1)
      const text = response === undefined ? { prompt } : { prompt, response }
      const judged = reduceCheck(await guardrail.checkPrompt(text, { signal, logprobs }))
      if (judged.outcome === "error") throw judgeError(judged.reason, judged.message)
      const { tokens } = judged
      return {
        output_text: judged.raw ?? null,
        response: judged,
        usage:
          tokens === null
            ? null
            : {
                prompt_tokens: tokens.prompt,
                completion_tokens: tokens.completion,
                total_tokens: tokens.prompt + tokens.completion,
              },
        latency_ms: judged.latency_ms,
        finish_reason: null,
      }
    },
  }
}

function judgeError(reason = "internal", message = "The judge could not be asked."): AssayError {
  return new AssayError(reason in ERROR_CATALOGUE ? (reason as ErrorCode) : "internal", message)
}

/** Checks that each row is a labelled prompt. Other rows get a fault that says why not. */
export function labelledRows(source: RowSource): RowSource {
  const { openRange } = source
  return {
    ...source,
    open: (signal) => checkedRows(source.open(signal)),
    openRange: openRange && ((range, signal) => checkedRows(openRange(range, signal))),
  }
}

async function* checkedRows(batches: AsyncIterable<readonly SourceRow[]>): AsyncGenerator<readonly SourceRow[], void> {
  for await (const rows of batches) yield rows.map(checked)
}

function checked(row: SourceRow): SourceRow {
  if (row.fault !== undefined) return row
  try {
    parseLabelledPrompt(row.item, row.index + 1)
    return row
  } catch (error) {
    if (!isAssayError(error)) throw error
    return { ...row, fault: error.message }
  }
}
