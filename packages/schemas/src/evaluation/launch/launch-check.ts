import { Type, type Static } from "@sinclair/typebox"
import { enumeration, orNull } from "../../records/field-types.ts"

/** The response to a refused launch, with every failed check. */
export const LaunchRefusal = Type.Object(
  {
    detail: Type.String({ examples: ["Job cannot be launched"] }),
    code: Type.String(),
    failed_checks: Type.Array(
      Type.Object({ check: Type.String(), code: Type.String(), message: Type.String(), remedy: Type.String() }),
    ),
  },
  { $id: "LaunchRefusal" },
)
export type LaunchRefusal = Static<typeof LaunchRefusal>

const FailedChecks = LaunchRefusal.properties.failed_checks

/** A launch check that begins or has ended. */
export const LaunchCheckProgress = Type.Object(
  {
    check: Type.String({
      description: "shape, fields, dataset, rows, baseline, labels, budget, endpoint, judge_format or results.",
      examples: ["endpoint"],
    }),
    places: Type.Array(Type.String(), {
      description: "The places of the body that name what is checked; empty for the whole body.",
      examples: [["config.tasks.qa.dataset"]],
    }),
    status: enumeration(["running", "passed", "warned", "failed"] as const),
    failed_checks: FailedChecks,
    warnings: FailedChecks,
  },
  { $id: "LaunchCheckProgress" },
)
export type LaunchCheckProgress = Static<typeof LaunchCheckProgress>

/** The requests of a job, as far as they are known before the job runs. A job has it until it runs, if it was checked. */
export const LaunchEstimate = Type.Object(
  {
    rows: orNull<number>("integer", "Number of rows of all tasks; null if one of them is not known."),
    about_rows: orNull<number>(
      "integer",
      "The same, or an approximate number from the sizes of files; null if it is not known.",
    ),
    requests: orNull<number>("integer", "Number of requests to models, without retries; null if it is not known."),
    prompt_tokens: orNull<number>("integer", "Tokens of all prompts, about; null if those of a model are not known."),
    completion_tokens: orNull<number>(
      "integer",
      "Tokens of all answers, about; null if those of a model are not known.",
    ),
    cost: orNull<number>("number", "Approximate cost of the tokens; null if the cost of a model is not known."),
    currency: orNull<string>("string", "Of the cost; null if there are no prices."),
    seconds: orNull<number>(
      "number",
      "Approximate time of the job: the geometric mean of `seconds_range`; null if it is not known.",
    ),
    seconds_range: Type.Optional(
      Type.Union([Type.Object({ low: Type.Number(), high: Type.Number() }), Type.Null()], {
        description:
          "Time of the job, without waits for rate limits. Measured by short requests if the run is large or only checked; null if it is not known.",
      }),
    ),
    half_width: orNull<number>(
      "number",
      "Half of the width of the interval of a share of 0.5 over the rows of the smallest task; null if its rows are not known.",
    ),
    detectable: orNull<number>(
      "number",
      "The smallest difference of two jobs over these rows that a comparison finds with a probability of 80 %, if a fifth of the rows changes; null if these rows show none.",
    ),
    models: Type.Array(
      Type.Object({
        model: Type.String(),
        url: Type.String(),
        requests: orNull<number>("integer", "About; null if nothing says the number of rows."),
        prompt_tokens: orNull<number>("integer", "Null if the rows or the requests are not known."),
        completion_tokens: orNull<number>("integer", "Null if nothing says how long answers are."),
        cost: orNull<number>("number", "Null if the tokens or the price are not known."),
      }),
      { description: "The models that are asked: targets and judges." },
    ),
    notes: Type.Array(Type.String(), {
      description: "The sources of the numbers, and what to do about those that are not known.",
    }),
    tasks: Type.Array(
      Type.Object({
        task: Type.String(),
        rows: orNull<number>("integer", "Number of rows; null if only reading the whole dataset would show it."),
        about_rows: orNull<number>("integer", "The same, or an approximate number from the sizes of files."),
        max_rows: orNull<number>("integer", "Maximum number of rows; null if there is no limit."),
        repeats: Type.Integer({ description: "How often each row is asked." }),
        requests: orNull<number>("integer", "Requests to the target and the judges, one of each per row and repeat."),
      }),
    ),
  },
  { $id: "LaunchEstimate" },
)
export type LaunchEstimate = Static<typeof LaunchEstimate>

/** The outcome of all launch checks. Nothing is launched. */
export const LaunchCheckOutcome = Type.Object(
  {
    launchable: Type.Boolean({ description: "Whether no check failed." }),
    failed_checks: FailedChecks,
    warnings: FailedChecks,
    estimate: LaunchEstimate,
  },
  { $id: "LaunchCheckOutcome" },
)
export type LaunchCheckOutcome = Static<typeof LaunchCheckOutcome>
