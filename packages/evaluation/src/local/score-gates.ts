import { AssayError } from "@assay/schemas/errors"
import type { ScoreGate } from "@assay/evaluation"
import { printable } from "../../../output/printable.ts"

const SHAPE = /^\s*(.+?)\s*(>=|<=)\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*$/i

/** Reads `task.metric.score>=0.8` or `…<=0.1`. @throws `bad_usage` */
export function parseGate(text: string): ScoreGate {
  const [, name, relation, number] = SHAPE.exec(text) ?? []
  if (name === undefined || number === undefined) {
    const message = `'${printable(text)}' is no gate: write task.metric.score>=0.8, or <= for what should be low.`
    throw new AssayError("bad_usage", message)
  }
  return { name, limit: relation === ">=" ? { atLeast: Number(number) } : { atMost: Number(number) } }
}
