import type { Dispatcher } from "undici"

/** What connections are opened with. */
export interface ConnectionOptions {
  /** Certificates in PEM that are trusted besides those of the system. */
  readonly ca?: string
}

/** Memory that all large answers of a process share while they are received. */
export interface AnswerRoom {
  readonly maxBytes: number
  /** Changed by the clients. */
  heldBytes: number
}

/** What a client takes from the world around it. */
export interface InferenceContext {
  /** Milliseconds, for durations. */
  readonly now: () => number
  /** From 0 to 1, for jitter. */
  readonly random: () => number
  /** Waits so many milliseconds, or throws the reason of `signal`. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Opens what connections go through; absent: any address may be dialled. A server gives one that guards. */
  readonly openDispatcher?: (options: ConnectionOptions) => Dispatcher
  /** Absent: nothing but the limit of each answer bounds them. */
  readonly answerRoom?: AnswerRoom
}
