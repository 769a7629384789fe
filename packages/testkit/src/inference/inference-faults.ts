import type { InferenceCondition } from "./condition-words.ts"
import type { InferenceRequest } from "./inference-request.ts"

/** A fault of an answer or of its connection. Numbers of bytes refer to the body. */
export type InferenceFault =
  /** An error in the words of the chosen personality. */
  | {
      readonly kind: "condition"
      readonly condition: InferenceCondition
      /** As a number of seconds or a date. */
      readonly retryAfter?: string | number
    }
  /** Any other answer. */
  | {
      readonly kind: "answer"
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body: string | object
    }
  /** The page of a proxy or a login. Default status 200. */
  | { readonly kind: "html"; readonly status?: number }
  | { readonly kind: "empty" }
  /** 200 with an `error` in the body. */
  | { readonly kind: "error-in-success"; readonly message?: string }
  /** 200 with JSON that has no `choices`. */
  | { readonly kind: "no-choices" }
  | { readonly kind: "broken-json" }
  /** Bytes of another protocol. */
  | { readonly kind: "not-http" }
  | { readonly kind: "redirect-loop" }
  /** Never begins to answer. */
  | { readonly kind: "hang" }
  /** Stops sending in the middle of the body. */
  | { readonly kind: "hang-in-body"; readonly after: number }
  /** Resets the connection before the answer. */
  | { readonly kind: "reset" }
  /** Closes the connection in the middle of the body. */
  | { readonly kind: "cut"; readonly after: number }
  /** Ends a streamed answer early as if it were complete. */
  | { readonly kind: "end-early"; readonly after: number }

export interface PlannedInferenceFault {
  /** The requests that it affects. Default: those for completions of chats and texts. */
  readonly when?: (request: InferenceRequest) => boolean
  /** Number of times. Default: every time. */
  readonly times?: number
  readonly fault: InferenceFault
}

/** The faults of the server. They can be added and removed at any time. */
export interface InferenceFaults {
  add(planned: PlannedInferenceFault): void
  clear(): void
}

/** Creates the planned faults. `take` returns the first one for a request and counts it. */
export function createInferenceFaults(): InferenceFaults & {
  take(request: InferenceRequest): InferenceFault | undefined
} {
  let plans: { readonly planned: PlannedInferenceFault; left: number }[] = []
  return {
    add(planned) {
      plans.push({ planned, left: planned.times ?? Infinity })
    },
    clear() {
      plans = []
    },
    take(request) {
      const found = plans.find(({ planned, left }) => left > 0 && (planned.when ?? isCompletion)(request))
      if (found !== undefined) found.left -= 1
      return found?.planned.fault
    },
  }
}

function isCompletion({ chat, text }: InferenceRequest): boolean {
  return chat !== undefined || text !== undefined
}
