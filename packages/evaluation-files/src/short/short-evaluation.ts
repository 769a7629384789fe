import { type SchemaOptions, type Static, type TSchema, Type } from "@sinclair/typebox"
import { AnyName, JobGate, MAX_SLICE_COLUMNS, CONVERSATION_PARTS, toolsSchema } from "@assay/schemas"
import { turnsSchema, userSchema } from "./short-turns.ts"
import { ShortAgent } from "./short-agent.ts"
import { ProgramFiles } from "../program-files.ts"
import { checkProperties } from "./short-checks.ts"
import { EXECUTOR_KEYS } from "./short-executor.ts"
import { ShortLimits } from "./short-limits.ts"
import { ModelName, ModelObject, optional, ShortModel, text } from "./short-model-schema.ts"
import { ShortPairwise } from "./short-pairwise.ts"

/** Further cells of `models` and `prompts` are a fault: each is a job of its own. */
export const MAX_CELLS = 100
const MAX_CHECKS = 100

const Message = Type.Object(
  {
    role: text("Who says it.", "user"),
    content: Type.Unknown({ description: "A template, or parts.", examples: ["{{ question }}"] }),
  },
  { additionalProperties: true, description: "A message of a chat." },
)

const PROMPT_FORMS =
  "A template; a file with one below the same folders as `data`, such as `./prompt.txt`; a list of messages; `{ system, user }`; or the template of the long form. Without it, rows have `messages` or `prompt`."

const PromptObject = Type.Object(
  {
    system: optional(Type.String({ description: "A template of the system message." })),
    user: optional(Type.String({ description: "A template of the message of the user." })),
    messages: optional(Type.Unknown({ description: "As in the long form." })),
    prompt: optional(Type.String({ description: "As in the long form." })),
  },
  { additionalProperties: true },
)

const promptSchema = (options: SchemaOptions) =>
  Type.Union([Type.String({ minLength: 1 }), Type.Array(Message, { minItems: 1 }), PromptObject], options)

export const ShortPrompt = promptSchema({})
export type ShortPrompt = Static<typeof ShortPrompt>

export const ShortJudge = Type.Object(
  {
    ask: text(
      "A question about the answer, which may have fields of the row, such as `{{ answer }}`. The judge also gets the prompt and the answer, unless the question has `{{ sample.output_text }}`.",
      "Is the answer polite?",
    ),
    model: Type.Union([ModelName, ModelObject], {
      description: "The model that judges.",
      examples: ["http://127.0.0.1:9000/v1#small-judge"],
    }),
    scale: optional(
      Type.Union(
        [
          Type.Tuple([Type.Integer(), Type.Integer()], { description: "The lowest and the highest whole number." }),
          Type.Record(Type.String({ pattern: "^\\w(?:[\\w -]*\\w)?$" }), Type.Number(), {
            additionalProperties: false,
            minProperties: 2,
            description: "Words and their values.",
          }),
        ],
        {
          description: "What the judge answers with. Default: yes (1) or no (0).",
          examples: ["[1, 5]", "{ bad: 0, fair: 0.5, good: 1 }"],
        },
      ),
    ),
  },
  { additionalProperties: false, description: "A model that answers a question about each answer." },
)
export type ShortJudge = Static<typeof ShortJudge>

const CheckObject = Type.Object(
  {
    ...checkProperties({ judge: ShortJudge, pairwise: ShortPairwise }),
    name: optional(
      Type.String({
        pattern: "^[\\w-]{1,100}$",
        description:
          "The name of the check in results and gates: letters, digits, `_` and `-`, up to 100 of them. A name with `@2` is that of its score of the second turn, and is given by itself. Default: its short name.",
        examples: ["polite"],
      }),
    ),
    as: optional(
      Type.String({
        pattern: "^[\\w-]{1,100}$",
        description:
          "The same as `name`: letters, digits, `_` and `-`, up to 100 of them. A name with `@2` is that of its score of the second turn, and is given by itself.",
        examples: ["policy"],
      }),
    ),
    labels: optional(text("The labels of people that correct its scores: a file, or a fileset.", "./labels.jsonl")),
  },
  { additionalProperties: false },
)

const Check = Type.Union([Type.String({ minLength: 1 }), CheckObject])
export type ShortCheckEntry = Static<typeof Check>

const Checks = Type.Array(Check, {
  minItems: 1,
  maxItems: MAX_CHECKS,
  description:
    "How answers are scored: a list of short names with what is expected, and of limits such as `latency < 2s`, `tokens < 500` and `cost < 0.01`. A file with `turns` may have them there alone.",
  examples: ['- equals: "{{ answer }}"'],
})

const ShortGate = Type.Object(
  { ...JobGate.properties, task: optional(JobGate.properties.task) },
  { additionalProperties: false, description: "A gate of the long form; `task` can be left out." },
)

/** The keys that both forms have, except `gates`. */
export const SHARED_KEYS = {
  namespace: optional(text("The workspace of a job on a server. Default: that of the command.", "default")),
  description: optional(Type.String({ description: "Stored with a job on a server." })),
  project: optional(Type.String({ description: "Stored with a job on a server." })),
  custom_fields: optional(Type.Record(AnyName, Type.Unknown(), { description: "Stored with a job on a server." })),
} as const

const matrix = <T extends TSchema>(item: T, options: object) =>
  Type.Union(
    [
      Type.Array(item, { minItems: 1, maxItems: MAX_CELLS }),
      Type.Record(AnyName, item, { minProperties: 1, maxProperties: MAX_CELLS }),
    ],
    options,
  )

/** An evaluation file in the short form. Which keys exclude or need each other is checked when it is expanded. */
export const ShortEvaluation = Type.Object(
  {
    name: optional(
      Type.String({
        pattern: "^[\\w\\-+.@:]*$",
        maxLength: 255,
        description: "The name of the evaluation. Default: that of the file.",
        examples: ["capitals"],
      }),
    ),
    model: optional(
      Type.Union([ModelName, ModelObject], {
        description:
          "The model that is asked: `URL#NAME`, or an object with a key, parameters and prices. A file has one of `model`, `models` and `output`.",
        examples: ["http://127.0.0.1:9000/v1#chat"],
      }),
    ),
    models: optional(
      matrix(ShortModel, {
        description:
          "Several models, as a list or by label. Each is a job of its own, which is compared with the first.",
        examples: ["[http://127.0.0.1:9000/v1#small, http://127.0.0.1:9000/v1#large]"],
      }),
    ),
    output: optional(
      text("Instead of a model: a template of the answer that each row has already.", "{{ answer_given }}"),
    ),
    agent: optional(ShortAgent),
    data: Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Array(Type.Record(AnyName, Type.Unknown()), { minItems: 1, maxItems: 10_000 }),
        Type.Object({ files_url: Type.String({ minLength: 1 }) }, { additionalProperties: true }),
      ],
      {
        description:
          "The rows: a file (CSV, TSV, JSON, JSON lines, Parquet) or a glob, relative to this file, and not hidden; `workspace/fileset#path` of a server; a list of rows; or a dataset of the long form.",
        examples: ["questions.csv"],
      },
    ),
    prompt: optional(promptSchema({ description: PROMPT_FORMS, examples: ["{{ question }}"] })),
    prompts: optional(
      matrix(ShortPrompt, {
        description:
          "Several prompts, as a list or by label. Each is a job of its own, which is compared with the first.",
        examples: ['{ short: "{{ question }}", long: ./long.txt }'],
      }),
    ),
    ...CONVERSATION_PARTS,
    tools: optional(
      toolsSchema(
        { files: optional(ProgramFiles) },
        {
          model: optional(
            Type.Union([ModelName, ModelObject], {
              description: "Instead of `answers`: a model that plays the tool.",
              examples: ["http://127.0.0.1:9000/v1#tool"],
            }),
          ),
        },
      ),
    ),
    turns: optional(turnsSchema(Check, Checks)),
    user: optional(userSchema(Type.Union([ModelName, ModelObject]), Check)),
    checks: optional(Checks),
    gates: optional(
      Type.Array(Type.Union([Type.String({ minLength: 1 }), ShortGate]), {
        maxItems: 50,
        description:
          "Limits that decide the exit code: `check >= number`, `check.score >= number` or with `<=`, whose whole interval has to keep the limit; with ` on these rows` at the end, the value of these rows has to, and every row needs a score; or gates of the long form.",
        examples: ["[equals >= 0.8]"],
      }),
    ),
    repeat: optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 1, description: "How often each row is asked." }),
    ),
    parallel: optional(Type.Integer({ minimum: 1, maximum: 1024, default: 8, description: "Requests in flight." })),
    limits: optional(ShortLimits),
    slices: optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: MAX_SLICE_COLUMNS,
        description: "Columns by whose values results are split.",
        examples: ["[language]"],
      }),
    ),
    group: optional(
      Type.String({
        minLength: 1,
        maxLength: 200,
        description: "A column with the group of a row: rows of a group count as one in intervals.",
        examples: ["document"],
      }),
    ),
    cache: optional(
      Type.Boolean({
        default: false,
        description:
          "Whether answers are shared with other jobs of the workspace. Those of conversations are recorded unless it is false.",
      }),
    ),
    ...EXECUTOR_KEYS,
    results: optional(
      text("Where results go: a folder relative to this file, or a fileset of the server.", "./results"),
    ),
    ...SHARED_KEYS,
  },
  { $id: "ShortEvaluation", additionalProperties: false },
)
export type ShortEvaluation = Static<typeof ShortEvaluation>
