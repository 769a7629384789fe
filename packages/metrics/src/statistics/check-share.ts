import { checkArgument } from "./check-argument.ts"

/** Throws an `invalid_request` unless `value` lies between 0 and 1, neither included: 0.95, never 95. */
export function checkShare(name: string, value: number): void {
  checkArgument(value > 0 && value < 1, name, value, "a number between 0 and 1, such as 0.95")
}
