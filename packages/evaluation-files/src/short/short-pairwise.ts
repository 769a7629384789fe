import { type Static, Type } from "@sinclair/typebox"
import { ModelName, ModelObject, optional, text } from "./short-model-schema.ts"

const JudgeOfPairs = Type.Union([ModelName, ModelObject], {
  description: "The model that judges.",
  examples: ["http://127.0.0.1:9000/v1#small-judge"],
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
