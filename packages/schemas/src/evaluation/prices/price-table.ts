import { Type, type Static } from "@sinclair/typebox"
import { numberField } from "../../records/number-field.ts"

const price = (description: string) => numberField("price", { description })

/** The prices of one model, or of all whose names fit a pattern. */
export const ModelPrice = Type.Object(
  {
    model: Type.String({ minLength: 1, maxLength: 300, description: "The name of a model; * is any text." }),
    prompt_price: price("Of a million tokens of prompts."),
    completion_price: price("Of a million tokens of answers."),
  },
  { additionalProperties: false },
)

/** Prices of tokens by the name of the model. The first pattern that fits decides. */
export const PriceTable = Type.Object(
  {
    currency: Type.String({ minLength: 1, maxLength: 16, examples: ["USD"] }),
    models: Type.Array(ModelPrice, { maxItems: 1000 }),
  },
  { $id: "PriceTable", additionalProperties: false },
)
export type PriceTable = Static<typeof PriceTable>
