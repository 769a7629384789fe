import { Type, type Static } from "@sinclair/typebox"

const Part = (description: string) => Type.Number({ minimum: 0, description })

/** Where the variance of a score comes from, if each row was asked several times. */
export const ScoreNoise = Type.Object(
  {
    rows: Type.Integer({ description: "Rows with a score." }),
    variance_rows: Part("The variance of the true scores of rows."),
    variance_answers: Part("The variance of the answers to one row."),
    width_asked_once: Part("How many times as wide the interval would be if each row had been asked once."),
    width_asked_twice: Part("... if each row had been asked twice as often."),
    width_asked_forever: Part("... if each row had been asked any number of times: more repeats can't do better."),
    width_spread: Part("... if as many answers had come from different rows, each asked once."),
  },
  { $id: "ScoreNoise" },
)
export type ScoreNoise = Static<typeof ScoreNoise>
