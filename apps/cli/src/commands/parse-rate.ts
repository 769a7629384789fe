import { InvalidArgumentError } from "commander"

/** Reads an option that is a share from 0 to 1. */
export function parseRate(text: string): number {
  const rate = Number(text)
  if (text.trim() !== "" && rate >= 0 && rate <= 1) return rate
  throw new InvalidArgumentError("Give a share from 0 to 1, such as 0.05.")
}
