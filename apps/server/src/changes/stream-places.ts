import { AssayError } from "@assay/schemas"

/** The streams that are open at one server. */
export interface StreamPlaces {
  /** Takes a place for a stream of `owner`, until it is disposed of. @throws `unavailable`, `too_many_requests` */
  take(owner: string): Disposable
}

/** Creates the places of a server: at most `all` at a time, and `own` of them for one caller, so that nobody takes the places of all others. */
export function createStreamPlaces({ all, own }: { readonly all: number; readonly own: number }): StreamPlaces {
  const taken = new Map<string, number>()
  let streams = 0
  return {
    take(owner) {
      if (streams >= all) {
        throw refusal("unavailable", `This server has ${all} open streams of changes; try again later.`)
      }
      const before = taken.get(owner) ?? 0
      if (before >= own) {
        throw refusal(
          "too_many_requests",
          `You have ${own} open streams of changes at this server; close some of them.`,
        )
      }
      streams += 1
      taken.set(owner, before + 1)
      return {
        [Symbol.dispose]() {
          streams -= 1
          const left = (taken.get(owner) ?? 1) - 1
          if (left === 0) taken.delete(owner)
          else taken.set(owner, left)
        },
      }
    },
  }
}

function refusal(code: "unavailable" | "too_many_requests", message: string): AssayError {
  return new AssayError(code, message, { context: { retryAfter: 30 } })
}
