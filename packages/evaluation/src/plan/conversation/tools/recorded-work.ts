import { fieldsOf } from "@assay/json"
import type { Recording } from "@assay/scoring"

/** The outcomes of programs for a conversation, kept for later runs. */
export interface WorkRecorder {
  /**
   * Returns the recorded outcome of a piece of work, or does and records it. `name` and `by` are shown if a replay does not have it; the outcome
   * depends on them and on `on`. A failure is kept for replays, and any other run does the work again.
   * @throws `recording_missing` in a replay; what `work` throws, which is not recorded
   */
  keep<T extends object>(of: RecordedWork, work: () => Promise<T & Timed>): Promise<T & Timed>
}

interface Timed {
  readonly milliseconds: number
}

export interface RecordedWork {
  readonly name: string
  readonly by: string
  readonly on: unknown
  readonly repeat: number
  /** The kind of an outcome, as it is read from a file. */
  readonly kindOf: (outcome: Readonly<Record<string, unknown>>) => RecordedKind
  /** Whether it does not wait for equal work of another conversation. Default false. */
  readonly isAlone?: boolean | undefined
}

type RecordingUse = NonNullable<Parameters<Recording["answer"]>[2]>
type RecordedKind = ReturnType<NonNullable<RecordingUse["kindOf"]>>

/** Creates the recorder of work. Without a recording, all work is done. */
export function createWorkRecorder(recording: Recording | undefined): WorkRecorder {
  return {
    async keep<T extends object>(
      { name, by, on, repeat, kindOf, isAlone }: RecordedWork,
      work: () => Promise<T & Timed>,
    ) {
      if (recording === undefined) return work()
      // A recording has answers of models. The outcome is kept as the body of one.
      const answer = await recording.answer(
        { baseUrl: by, model: name, body: on, repeat },
        async () => {
          const { milliseconds, ...outcome } = await work()
          return { ...NO_ANSWER, latencyMs: milliseconds, body: outcome }
        },
        { kindOf: ({ body }) => kindOf(fieldsOf(body)), isAlone },
      )
      return { ...(fieldsOf(answer.body) as T), milliseconds: answer.latencyMs }
    },
  }
}

const NO_ANSWER = {
  text: null,
  reasoning: null,
  refusal: null,
  finishReason: null,
  toolCalls: [],
  logprobs: null,
  usage: null,
  attempts: 1,
}
