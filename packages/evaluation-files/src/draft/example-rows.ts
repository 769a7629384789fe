import type { Columns } from "./columns.ts"

/** The file with example rows, for users who have none yet. */
export const EXAMPLE_NAME = "questions.csv"

const COLUMNS = ["question", "answer", "output"]
const ROWS = [
  ["What is the capital of Italy?", "Rome", "The capital is Rome."],
  ["Which planet is the largest?", "Jupiter", "Jupiter is the largest planet."],
  ["What is water made of?", "hydrogen and oxygen", "It is made of hydrogen and oxygen."],
  ["Who wrote Hamlet?", "Shakespeare", "William Shakespeare wrote it."],
  ["Which metal is liquid at room temperature?", "mercury", "That is mercury."],
  ["What is the largest ocean?", "Pacific", "The Pacific Ocean."],
  ["Which gas do plants take in?", "carbon dioxide", "Oxygen."],
  ["What is the longest river of Africa?", "Nile", "The Nile."],
]

/** Questions with the right answers and answers that were given, one of them wrong. */
export const EXAMPLE_ROWS = [COLUMNS, ...ROWS].map((row) => `${row.join(",")}\n`).join("")

export function exampleColumns(): Columns {
  return new Map(COLUMNS.map((name, at) => [name, ROWS.map((row) => row[at])]))
}
