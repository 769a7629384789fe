import type { Dispatcher } from "undici"
import type { Telemetry } from "@assay/telemetry"
import type { RequestPacers } from "./pacing/endpoint-pacers.ts"
import type { RateCeiling } from "./pacing/rate-ceiling.ts"
import type { RequestMeter } from "./request-meter.ts"

/** Options of the connections to one endpoint. */
export interface ConnectionOptions {
  /** Certificates in PEM that are trusted in addition to those of the system. */
  readonly ca?: string | undefined
}

/** The memory that all large answers of a process share while they arrive. */
export interface AnswerRoom {
  readonly maxBytes: number
  /** Updated by the clients. */
  heldBytes: number
}

/** The dependencies of an inference client. */
export interface InferenceContext {
  /** Returns milliseconds, for durations. */
  readonly now: () => number
  /** Returns a number from 0 to 1, for jitter. */
  readonly random: () => number
  /** Waits the given milliseconds, or throws the reason of `signal`. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>
  /** Opens the agent that makes the connections. A server passes one that checks addresses. Default: every address is dialled. */
  readonly openDispatcher?: (options: ConnectionOptions) => Dispatcher
  /** Holds calls back that wait for rate limits anyway, to the rate that their endpoint allows to all of them. Default: each call waits alone. */
  readonly pacers?: RequestPacers
  /** Holds each try of a call back to a rate that a user has set. Default: none. */
  readonly ceiling?: RateCeiling | undefined
  /** The sender, such as the id of a job: senders whose requests are held back take turns. Default: all such callers together are one. */
  readonly sender?: string | undefined
  /** Counts the requests of calls that are not streamed, and the tokens of their answers. Default: they are not counted. */
  readonly meter?: RequestMeter
  /** Makes a span of each call. Default: nothing is collected. */
  readonly telemetry?: Telemetry | undefined
  /** Default: answers are bounded only by the limit of each one. */
  readonly answerRoom?: AnswerRoom
}
