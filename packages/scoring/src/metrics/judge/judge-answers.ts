import type { ChatAnswer } from "@assay/inference"
import { AssayError, type KeptJudgeAnswer } from "@assay/schemas"

/** The parts of an answer from which scores, or the reason why there are none, are read. */
export type JudgedAnswer = Pick<ChatAnswer, "text" | "reasoning" | "refusal" | "finishReason" | "logprobs">

/** The answers of the judges of one metric for one row. */
export interface JudgeAnswers {
  /** Called once for each question, in the order of the questions. `ask` sends it. */
  readonly answer: (ask: () => Promise<ChatAnswer>) => Promise<JudgedAnswer>
}

interface KeptAnswers extends JudgeAnswers {
  /** Returns the answers in the order of their questions; undefined if no judge was asked. @param isReadable whether all scores were read */
  list(isReadable: boolean): readonly KeptJudgeAnswer[] | undefined
}

/** Keeps the answers of judges. Questions that are asked at the same time keep their order. Reasoning is kept only if a score is unreadable. */
export function keepAnswers(): KeptAnswers {
  const answers: (ChatAnswer | undefined)[] = []
  return {
    async answer(ask) {
      const at = answers.push(undefined) - 1
      const answer = await ask()
      answers[at] = answer
      return answer
    },
    list(isReadable) {
      const given = answers.filter((answer) => answer !== undefined)
      return given.length === 0 ? undefined : given.map((answer) => keptForm(answer, isReadable))
    },
  }
}

function keptForm(
  { text, finishReason, reasoning, refusal, logprobs }: ChatAnswer,
  isReadable: boolean,
): KeptJudgeAnswer {
  return {
    text,
    finish_reason: finishReason,
    ...(isReadable || reasoning === null ? {} : { reasoning }),
    ...(refusal === null ? {} : { refusal }),
    ...(logprobs === null ? {} : { logprobs }),
  }
}

/** Gives kept answers, in the order of the questions, and asks nothing. Throws `bad_document` if there are too few. */
export function readAnswers(kept: readonly KeptJudgeAnswer[]): KeptAnswers {
  let next = 0
  return {
    list: () => kept,
    answer() {
      const found = kept[next++]
      if (found === undefined) {
        const message = `The row has ${kept.length} stored answers of judges, and its metric asks more questions.`
        return Promise.reject(new AssayError("bad_document", message))
      }
      const { text, finish_reason: finishReason, reasoning = null, refusal = null, logprobs = null } = found
      return Promise.resolve({ text, finishReason, reasoning, refusal, logprobs })
    },
  }
}
