import { AssayError, type LaunchBody } from "@assay/schemas"
import { launchOfContent, readEvaluationCells, withGatesInJob } from "@assay/evaluation-files"
import { parseYaml } from "@assay/validation"
import { Type } from "@sinclair/typebox"
import { withNotes } from "../answers/bound-answer.ts"
import { defineTool, type ToolContext } from "../tool.ts"
import { notesField, workspaceField } from "./fields.ts"

/** Rows of a larger file belong in a fileset. A server parses the text while other requests wait. */
const MAX_FILE_CHARACTERS = 250_000
/** A file with several models and prompts is as many jobs. More are probably a mistake, and cost. */
const MAX_JOBS = 10

const Named = (what: string) =>
  Type.Union([Type.String({ minLength: 1, maxLength: 512 }), Type.Record(Type.String(), Type.Unknown())], {
    description: `${what}: \`workspace/name\` of a stored one, or the object itself.`,
  })

interface NamedLaunch {
  /** The model and the prompt of one of several jobs. */
  readonly label: string | undefined
  readonly body: LaunchBody
}

export const launchEvaluation = defineTool({
  name: "launch_evaluation",
  title: "Launch an evaluation",
  description:
    "Launches an evaluation job, and returns its id at once. Give `evaluation`, the text of an evaluation file (YAML or JSON with `model`, `data`, `prompt` and `checks`), or `target` and `config` as POST /v1/evaluation/jobs takes them. " +
    "Data is inline rows or `workspace/fileset#path` of the server. Keys are secrets of the server, which you name; never put a key into the text. Launch checks run first: a refusal lists every fault with its remedy. Asks models, which costs: use `limit` of the file for a first try. Follow the job with job_status.",
  effect: "creates",
  input: Type.Object(
    {
      evaluation: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: MAX_FILE_CHARACTERS,
          description: "The text of an evaluation file, instead of target and config.",
          examples: [
            'model: http://127.0.0.1:9000/v1#echo\ndata: default/capitals#rows.jsonl\nprompt: "What is the capital of {{ country }}?"\nchecks: [{ contains: "{{ capital }}" }]\ngates: [contains >= 0.8]\nlimits: { rows: 20 }',
          ],
        }),
      ),
      target: Type.Optional(Named("What is evaluated")),
      config: Type.Optional(Named("How it is asked and scored")),
      workspace: workspaceField,
      description: Type.Optional(Type.String({ maxLength: 1000, description: "Is stored with the job." })),
      skip_checks: Type.Boolean({
        default: false,
        description: "Launch although a launch check fails. Only if the user asks for it.",
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    jobs: Type.Array(
      Type.Object({
        id: Type.String(),
        status: Type.String(),
        label: Type.Union([Type.String(), Type.Null()], {
          description: "The model and prompt of one of several jobs.",
        }),
        rows: Type.Union([Type.Integer(), Type.Null()], { description: "Null: not known before the job runs." }),
        requests: Type.Union([Type.Integer(), Type.Null()], { description: "Requests to models, without retries." }),
      }),
    ),
    notes: notesField,
  }),
  run: async (input, context) => {
    const { skip_checks: skipChecks } = input
    const launched = []
    for (const { label, body } of launchesOf(input, context)) {
      try {
        const options = { skipChecks, signal: context.signal }
        const { id, status, status_details } = await context.client.evaluation.jobs.launch(body, options)
        const { rows = null, requests = null } = status_details.estimate ?? {}
        launched.push({ id, status, label: label ?? null, rows, requests })
      } catch (error) {
        throw launched.length === 0 ? error : withLaunched(error, launched)
      }
    }
    return { jobs: launched, ...withNotes("Call job_status with wait_seconds until the status is final.") }
  },
})

interface LaunchInput {
  readonly evaluation?: string
  readonly target?: string | Record<string, unknown>
  readonly config?: string | Record<string, unknown>
  readonly workspace?: string
  readonly description?: string
}

function launchesOf(input: LaunchInput, context: ToolContext): readonly NamedLaunch[] {
  const { evaluation, target, config, description, workspace = context.workspace } = input
  const described = description === undefined ? {} : { description }
  if (evaluation !== undefined && target === undefined && config === undefined) {
    return launchesOfFile(evaluation, workspace).map(({ label, body }) => ({ label, body: { ...body, ...described } }))
  }
  if (evaluation !== undefined || target === undefined || config === undefined) {
    throw new AssayError(
      "invalid_request",
      "Give either 'evaluation', the text of an evaluation file, or both 'target' and 'config'.",
    )
  }
  const body = { namespace: workspace, target, config, ...described }
  return [{ label: undefined, body: body as LaunchBody }]
}

/** Reads the text of an evaluation file. Its gates become gates of the job, which its status then reports. */
function launchesOfFile(text: string, workspace: string): readonly NamedLaunch[] {
  const cells = readEvaluationCells(parseYaml(text, "evaluation"))
  if (cells.length > MAX_JOBS) {
    throw new AssayError(
      "bad_document",
      `The file describes ${cells.length} jobs, one for each model and prompt; this tool launches at most ${MAX_JOBS}: name fewer models or prompts.`,
    )
  }
  return cells.map(({ label, content }) => ({ label, body: launchOfContent(withGatesInJob(content), workspace) }))
}

function withLaunched(error: unknown, launched: readonly { readonly id: string }[]): unknown {
  if (!(error instanceof AssayError)) return error
  const ids = launched.map(({ id }) => id).join(", ")
  return new AssayError(error.code, `${error.message} Jobs before it are launched: ${ids}.`, {
    context: error.context,
    cause: error,
  })
}
