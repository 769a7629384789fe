import type { TransferSide } from "./transfer-side.ts"

/** The side as if it held nothing: what a dry run sees where a folder or fileset is still to be made. */
export function asEmpty(side: TransferSide): TransferSide {
  return { ...side, list: async function* () {} }
}
