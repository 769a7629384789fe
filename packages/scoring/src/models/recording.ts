import type { ChatAnswer } from "@assay/inference"

/** A request to a model, as far as its answer depends on it. The position of its row and the key of the endpoint do not count. */
export interface RecordedRequest {
  /** A `/chat/completions`, a `/completions` or a slash at the end makes no difference. */
  readonly baseUrl: string
  readonly model: string
  /** Everything that is sent besides the model. */
  readonly body: unknown
  /** The number of the repeat of the row, from 0. */
  readonly repeat: number
}

/** An answer, and whether an earlier request got it. */
export type RecordedAnswer = ChatAnswer & { readonly isRecorded?: true }

/** The kinds of recorded answers: a failure is used only by a replay, and an unusable one is asked again. */
export type RecordedKind = "answer" | "failure" | "unusable"

export interface RecordingUse {
  /** Default: each is an answer. */
  readonly kindOf?: (answer: ChatAnswer) => RecordedKind
  /** Whether the caller does not wait for an equal request of another caller, because that one may wait for what this one holds. Default false. */
  readonly isAlone?: boolean | undefined
}

/** Answers of models that are kept for later runs. */
export interface Recording {
  /** Whether a request without a recorded answer fails instead of being sent. */
  readonly isReplayOnly: boolean
  /**
   * Returns the recorded answer of a request, or asks and records. An answer is recorded before it is returned, so that no run asks for it
   * again. Each run but a replay tries a recorded failure again.
   * @throws `recording_missing` in a replay; what `ask` throws, which is not recorded
   */
  readonly answer: (
    request: RecordedRequest,
    ask: () => Promise<ChatAnswer>,
    use?: RecordingUse,
  ) => Promise<RecordedAnswer>
}
