import { type Static, type TArray, type TSchema, Type } from "@sinclair/typebox"
import { MAX_TURNS, repeatLimit, USER_PARTS } from "@assay/schemas"

/**
 * Returns the schema of the turns of a conversation in the short form.
 * @param check the schema of one check @param checks that of a list of them
 */
export function turnsSchema<Check extends TSchema>(check: Check, checks: TArray<Check>) {
  const turn = Type.Object(
    {
      user: Type.String({
        minLength: 1,
        description:
          "A template of what the user says. It may read earlier turns, such as `{{ turns[0].output_text }}`.",
        examples: ["Where is {{ order }}?"],
      }),
      checks: Type.Optional(
        Type.Unsafe<Static<Check>[]>({
          ...checks,
          description:
            "How the answer of this turn is scored. The score of a check is `contains` over all turns that have it, and `contains@2` for the second turn.",
          examples: ['- contains: "{{ status }}"'],
        }),
      ),
      repeat: Type.Optional(
        Type.Object(
          {
            until: Type.Unsafe<Static<Check>>({ ...check, description: "A check that an answer has to pass." }),
            limit: repeatLimit,
          },
          {
            additionalProperties: false,
            description: "Sends the message again until an answer passes a check. Default: the message is sent once.",
            examples: ["{ until: { contains: gone }, limit: 3 }"],
          },
        ),
      ),
    },
    { additionalProperties: false, description: "A turn, such as `{ user: Cancel it. }`." },
  )
  return Type.Union([Type.String({ minLength: 1 }), Type.Array(turn, { minItems: 1, maxItems: MAX_TURNS })], {
    description:
      "Instead of a prompt: the turns of a conversation, whose history the model gets. A list; or a template that gives the turns of the row, a list of texts or of `{ user }`.",
    examples: ['[{ user: "Where is {{ order }}?" }, { user: Cancel it. }]'],
  })
}

/**
 * Returns the schema of a simulated user in the short form.
 * @param model the schema of a model @param check that of a check
 */
export function userSchema<Model extends TSchema, Check extends TSchema>(model: Model, check: Check) {
  return Type.Object(
    {
      model: Type.Unsafe<Static<Model>>({ ...model, description: "The model that writes the messages of the user." }),
      ...USER_PARTS,
      stop: Type.Optional(
        Type.Unsafe<string | Exclude<Static<Check>, string>>({
          ...check,
          description: "When the user ends the conversation: a rule in words, or a check that an answer has to pass.",
          examples: ["The order is cancelled.", "{ contains: gone }"],
        }),
      ),
      judge: Type.Optional(
        Type.Unsafe<Static<Model>>({
          ...model,
          description:
            "The model that judges whether the user kept to its facts. A conversation in which it did not has no other scores.",
        }),
      ),
    },
    {
      additionalProperties: false,
      description: "Instead of turns: a model that writes the messages of the user, at most `limits.turns` of them.",
      examples: ["{ model: http://127.0.0.1:9000/v1#user, goal: Cancel the order. }"],
    },
  )
}
