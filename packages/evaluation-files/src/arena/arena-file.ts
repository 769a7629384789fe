import { Type, type Static } from "@sinclair/typebox"
import { AnyName } from "@assay/schemas"
import { ShortPrompt } from "../short/short-evaluation.ts"
import { ShortModel } from "../short/short-model-schema.ts"
import { ShortPairwise } from "../short/short-pairwise.ts"

/** Models of an arena: one for each letter of a group. */
export const MAX_MODELS = 26

/** A model as the long form of evaluation files has it. */
const LongModel = Type.Object(
  { api_endpoint: Type.Object({ url: Type.String(), model_id: Type.String() }, { additionalProperties: true }) },
  { additionalProperties: true, description: "A model as in the long form of evaluation files." },
)

const LongTarget = Type.Object(
  { type: Type.Literal("model"), model: LongModel },
  { additionalProperties: false, description: "A target as in the long form of evaluation files." },
)

const Contestant = Type.Union(
  [Type.String({ minLength: 1, maxLength: 1000 }), ...ShortModel.anyOf, LongModel, LongTarget],
  {
    description:
      "A model, such as `http://127.0.0.1:9000/v1#chat`, or a folder of results with answers to the same rows.",
    examples: ["http://127.0.0.1:9000/v1#chat", "./results-old"],
  },
)

const ArenaParams = Type.Object(
  {
    template: Type.Optional(ShortPrompt),
    top: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_MODELS - 1,
        default: 1,
        description: "How many of the best are looked for.",
      }),
    ),
    alpha: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 0.5,
        default: 0.05,
        description: "The probability of naming a model that is not the best.",
      }),
    ),
    seed: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 2 ** 32 - 1, default: 0, description: "Decides the random order of rows." }),
    ),
    temperature: Type.Optional(Type.Number({ description: "Sent to each model. Default: not sent." })),
    top_p: Type.Optional(Type.Number({ description: "Sent to each model. Default: not sent." })),
    max_tokens: Type.Optional(
      Type.Integer({ minimum: 1, description: "The longest answer of each model, in tokens." }),
    ),
  },
  { additionalProperties: false },
)

const { ask, model, question } = ShortPairwise.properties

const ArenaJudge = Type.Object(
  { ask, model: Type.Union([...model.anyOf, LongModel], { description: model.description ?? "" }), question },
  { additionalProperties: false, description: "The model that compares two answers, and what it is asked." },
)

/** Models that are compared with each other by a judge. */
export const ArenaFile = Type.Object(
  {
    version: Type.Optional(Type.Integer({ minimum: 1, maximum: 1, description: "The version of this form: 1." })),
    description: Type.Optional(Type.String({ maxLength: 10_000, description: "For readers of the file." })),
    models: Type.Record(AnyName, Contestant, {
      minProperties: 2,
      maxProperties: MAX_MODELS,
      description: "Models by their names.",
    }),
    dataset: Type.Union(
      [
        Type.String({ minLength: 1 }),
        Type.Array(Type.Record(AnyName, Type.Unknown()), { minItems: 1 }),
        Type.Object({ files_url: Type.String({ minLength: 1 }) }, { additionalProperties: true }),
      ],
      { description: "The rows: a file, a fileset, or the rows themselves.", examples: ["./questions.jsonl"] },
    ),
    params: Type.Optional(ArenaParams),
    judge: ArenaJudge,
  },
  { $id: "ArenaFile", additionalProperties: false },
)
export type ArenaFile = Static<typeof ArenaFile>
