import { fieldsOf } from "@assay/json"
import type { EvaluationConfigBody } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import type { ImportNotes } from "../output/import-notes.ts"
import { likelihoodMetrics, textMetrics } from "./map-metrics.ts"
import type { LmEvalTask } from "./read-task.ts"
import type { TaskTemplates } from "./task-templates.ts"

type TaskBody = NonNullable<EvaluationConfigBody["tasks"]>[string]

interface BodySource {
  readonly task: LmEvalTask
  readonly templates: TaskTemplates
  readonly prefix: string
  readonly notes: ImportNotes
  readonly isChat: boolean
}

export function bodyOf(output: string, { task, templates, prefix, notes, isChat }: BodySource): TaskBody {
  const { text, target, choices, delimiter } = templates
  const context = `${prefix}${text}`
  const source = { task, notes, target }
  if (output === "multiple_choice") {
    if (choices === undefined)
      throw new AssayError("bad_document", `${task.locationOf("output_type")}: The task has no 'doc_to_choice'.`)
    const template = { context, choices, answer: typeof target === "number" ? `{{ ${target} }}` : target, delimiter }
    return { type: "multiple-choice", params: { template }, metrics: likelihoodMetrics(output, source) }
  }
  // The harness writes no delimiter before such a text.
  if (output === "loglikelihood") {
    const template = { context, text: target, delimiter: "" }
    return { type: "loglikelihood", params: { template }, metrics: likelihoodMetrics(output, source) }
  }
  if (output === "loglikelihood_rolling") {
    return { type: "loglikelihood", params: { template: { text: target } }, metrics: likelihoodMetrics(output, source) }
  }
  const metrics = textMetrics(source)
  if (Object.keys(metrics).length === 0) {
    const reasons = notes
      .list()
      .filter(({ outcome }) => outcome === "left out")
      .map(({ part, detail }) => `${part}: ${detail}`)
    throw new AssayError(
      "bad_document",
      `${task.locationOf("metric_list")}: No metric of the task can be mapped. ${reasons.join(". ")}.`,
    )
  }
  return {
    type: isChat ? "chat-completion" : "completion",
    params: { template: { prompt: context }, ...generation(task, notes, templates) },
    metrics,
  }
}

/** Reads the settings of a generation. Without any, an answer ends at the delimiter of examples. */
function generation(task: LmEvalTask, notes: ImportNotes, { shotDelimiter }: TaskTemplates): object {
  const {
    until,
    do_sample: isSampled,
    temperature,
    max_gen_toks: most,
    top_p,
    ...rest
  } = fieldsOf(task.fields["generation_kwargs"])
  for (const key of Object.keys(rest)) {
    notes.add({
      location: task.locationOf("generation_kwargs"),
      part: key.slice(0, 60),
      outcome: "left out",
      detail: "it is not a parameter of a request here",
    })
  }
  const stop = typeof until === "string" ? [until] : Array.isArray(until) ? until : [shotDelimiter]
  return {
    temperature: isSampled === true && typeof temperature === "number" ? temperature : 0,
    max_tokens: typeof most === "number" ? most : 256,
    ...(stop.length === 0 ? {} : { stop: stop.slice(0, 4).map(String) }),
    ...(isSampled === true && typeof top_p === "number" ? { top_p } : {}),
  }
}
