import { AssayError, nearestNames } from "@assay/schemas"
import { FORM_INSTRUCTIONS } from "./form-instructions.ts"
import { type CreateInstruction, type FollowsInstruction, readInstruction } from "./instruction.ts"
import { trimAtSpace } from "./python-text.ts"
import { TEXT_INSTRUCTIONS } from "./text-instructions.ts"

const INSTRUCTIONS: Readonly<Record<string, CreateInstruction>> = { ...TEXT_INSTRUCTIONS, ...FORM_INSTRUCTIONS }
/** The most instructions of one row. IFEval has up to 3. */
const MAX_INSTRUCTIONS = 100

/** Whether an answer follows each instruction of a row. */
export interface InstructionScores {
  readonly strict: readonly boolean[]
  /** Also for the answer without its first line, its last line, both, and without asterisks. */
  readonly loose: readonly boolean[]
}

/**
 * Checks the instructions of a row of IFEval. `ids` are its `instruction_id_list`, and `kwargs` their arguments in the same order.
 * Source: Zhou et al., arXiv 2311.07911; `lm_eval/tasks/ifeval` of lm-evaluation-harness, version 4.
 * @throws `rows_invalid` for an unknown instruction, or arguments that are missing or of another type
 */
export function scoreInstructions(
  answer: string,
  ids: readonly unknown[],
  kwargs: readonly unknown[],
): InstructionScores {
  if (ids.length === 0 || ids.length > MAX_INSTRUCTIONS || ids.length !== kwargs.length) {
    const message = `A row of IFEval has 1 to ${MAX_INSTRUCTIONS} instructions with one object of arguments each; this one has ${ids.length} and ${kwargs.length}.`
    throw new AssayError("rows_invalid", message)
  }
  const checks = ids.map((id, index) => instructionOf(id, kwargs[index]))
  const variants = looseVariants(answer).filter(isWritten)
  return {
    strict: checks.map((follows) => isWritten(answer) && follows(answer)),
    loose: checks.map((follows) => variants.some(follows)),
  }
}

function instructionOf(id: unknown, kwargs: unknown): FollowsInstruction {
  const name = String(id)
  const create = Object.hasOwn(INSTRUCTIONS, name) ? INSTRUCTIONS[name] : undefined
  if (create !== undefined) return create(readInstruction(name, kwargs))
  const near = nearestNames(name.slice(0, 80), Object.keys(INSTRUCTIONS))
  const advice = near.length === 0 ? "use one of the 25 of the data set." : `did you mean '${near.join("' or '")}'?`
  throw new AssayError("rows_invalid", `'${name.slice(0, 80)}' is not an instruction of IFEval; ${advice}`)
}

const isWritten = (text: string) => trimAtSpace(text) !== ""

/** Returns an answer and its parts without introduction, closing line and emphasis, each once. */
function looseVariants(answer: string): readonly string[] {
  const lines = answer.split("\n")
  const parts = [lines.slice(1), lines.slice(0, -1), lines.slice(1, -1)].map((part) => trimAtSpace(part.join("\n")))
  const plain = [answer, ...parts]
  return [...new Set([...plain, ...plain.map((part) => part.replaceAll("*", ""))])]
}
