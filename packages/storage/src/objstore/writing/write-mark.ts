import type { RemoteContext } from "../../remote/remote-context.ts"

/**
 * Kept with what is written where the loss of an answer would leave open whether it was: only by a mark of its own is a
 * write told from another one with the same bytes.
 */
export const MARK_HEADER = "x-amz-meta-assay-write"

export function newMark({ now, random }: RemoteContext): string {
  return `${now().toString(36)}-${Math.floor(random() * 2 ** 48).toString(36)}`
}
