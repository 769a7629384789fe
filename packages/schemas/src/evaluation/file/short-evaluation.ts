import { type SchemaOptions, type Static, type TSchema, Type } from "@sinclair/typebox"
import { AnyName } from "../../records/field-types.ts"
import { numberField } from "../../numbers/number-field.ts"
import { JobGate } from "../decisions/gates.ts"
import { MAX_SLICE_COLUMNS } from "../decisions/slices.ts"
import { turnsSchema, userSchema } from "./conversation/short-turns.ts"
import { CONVERSATION_PARTS } from "../conversation/conversation-config.ts"
import { toolsSchema } from "../conversation/tool-config.ts"
import { ProgramFiles } from "./program-files.ts"
import { checkProperties } from "./short-checks.ts"
import { EXECUTOR_KEYS } from "./short-executor.ts"
import { ShortLimits } from "./short-limits.ts"

/** Further cells of `models` and `prompts` are a fault: each is a job of its own. */
export const MAX_CELLS = 100
const MAX_CHECKS = 100

const optional = <T extends TSchema>(schema: T) => Type.Optional(schema)
const text = (description: string, example: string) => Type.String({ minLength: 1, description, examples: [example] })

/** The address of a model in one word. */
const ModelName = Type.String({
  pattern: "^[^#\\s]+#\\S",
  description: "A model at an address that speaks OpenAI's protocol: URL#NAME.",
  examples: ["http://127.0.0.1:9000/v1#chat"],
})

const ModelObject = Type.Object(
  {
    url: text("The base address, without user name and password.", "https://host/v1"),
    model: text("The name of the model at this address.", "chat-large"),
    key: optional(
      text(
        "The name of the variable with the key (capitals, and KEY, TOKEN or SECRET in it), or of a secret of the server. Never the key itself.",
        "CHAT_API_KEY",
      ),
    ),
    temperature: optional(Type.Number({ description: "Sent with each request. Default: not sent." })),
    top_p: optional(Type.Number({ description: "Sent with each request. Default: not sent." })),
    max_tokens: optional(
      Type.Integer({
        minimum: 1,
        description: "The longest answer, in tokens. Default: that of the endpoint; 1024 for a judge.",
      }),
    ),
    seed: optional(Type.Integer({ description: "Sent with each request. Default: not sent." })),
    stop: optional(
      Type.Union([Type.String(), Type.Array(Type.String())], { description: "Texts at which an answer ends." }),
    ),
    extra: optional(Type.Record(AnyName, Type.Unknown(), { description: "Other parameters of each request." })),
    prompt_price: optional(
      numberField("price", { description: "What a million tokens of prompts cost, in any currency." }),
    ),
    completion_price: optional(
      numberField("price", { description: "What a million tokens of answers cost, in the same currency." }),
    ),
    format: optional(
      Type.String({
        description: "`completions`: asked with a text instead of a chat. Default: chat.",
        examples: ["completions"],
      }),
    ),
    reasoning: optional(
      Type.Unknown({ description: "How reasoning is removed from answers: `{ remove: true }`. Default: it stays." }),
    ),
    ca: optional(Type.String({ description: "Certificates in PEM that are trusted besides those of the system." })),
    name: optional(text("The label of the model in `models`. Default: its name.", "large")),
  },
  { additionalProperties: false, description: "A model with a key, parameters or prices." },
)

/** A model, as an address or an object. */
export const ShortModel = Type.Union([ModelName, ModelObject])
export type ShortModel = Static<typeof ShortModel>

const Message = Type.Object(
  {
    role: text("Who says it.", "user"),
    content: Type.Unknown({ description: "A template, or parts.", examples: ["{{ question }}"] }),
  },
  { additionalProperties: true, description: "A message of a chat." },
)

const PROMPT_FORMS =
  "A template; a file with one, such as `./prompt.txt`; a list of messages; `{ system, user }`; or the template of the long form. Without it, rows have `messages` or `prompt`."

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
      examples: ["http://127.0.0.1:9000/v1#judge"],
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

const JudgeOfPairs = Type.Union([ModelName, ModelObject], {
  description: "The model that judges.",
  examples: ["http://127.0.0.1:9000/v1#judge"],
})
const AskOfPairs = text(
  "What makes an answer better; it may have fields of the row. Default: which answer serves the request better.",
  "Which answer is more helpful?",
)
const RequestOfPairs = text(
  "The request that was answered, as the judge sees it. Default: the prompt of the file, else the field `question`, `prompt` or `messages` of the row.",
  "{{ question }}",
)

/** A judge that compares the answer with another one. */
export const ShortPairwise = Type.Object(
  {
    ask: optional(AskOfPairs),
    model: JudgeOfPairs,
    against: Type.Union(
      [
        Type.String({ minLength: 1, description: "A template of the other answer." }),
        Type.Object(
          { job: text("A job, a baseline, or a folder of results, over the same rows.", "./results-old") },
          { additionalProperties: false },
        ),
      ],
      { description: "The other answer.", examples: ["{{ reference }}", "{ job: ./results-old }"] },
    ),
    question: optional(RequestOfPairs),
  },
  { additionalProperties: false, description: "A model that compares each answer with another one." },
)
export type ShortPairwise = Static<typeof ShortPairwise>

const CheckObject = Type.Object(
  {
    ...checkProperties({ judge: ShortJudge, pairwise: ShortPairwise }),
    name: optional(
      Type.String({
        pattern: "^[\\w-]{1,100}$",
        description: "The name of the check in results and gates. Default: its short name.",
        examples: ["polite"],
      }),
    ),
    as: optional(
      Type.String({
        pattern: "^[\\w-]{1,100}$",
        description: "The same as `name`.",
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
    data: Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Array(Type.Record(AnyName, Type.Unknown()), { minItems: 1, maxItems: 10_000 }),
        Type.Object({ files_url: Type.String({ minLength: 1 }) }, { additionalProperties: true }),
      ],
      {
        description:
          "The rows: a file (CSV, TSV, JSON, JSON lines, Parquet) or a glob, relative to this file; `workspace/fileset#path` of a server; a list of rows; or a dataset of the long form.",
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
      toolsSchema(ProgramFiles, {
        model: optional(
          Type.Union([ModelName, ModelObject], {
            description: "Instead of `answers`: a model that plays the tool.",
            examples: ["http://127.0.0.1:9000/v1#tool"],
          }),
        ),
      }),
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
