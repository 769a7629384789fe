import { InvalidArgumentError } from "commander"

/** Reads an option that is a whole number from `minimum` to `maximum`. */
export function parseInteger(minimum: number, maximum = Number.MAX_SAFE_INTEGER): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= minimum && value <= maximum) return value
    const limits = maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum} on` : `from ${minimum} to ${maximum}`
    throw new InvalidArgumentError(`Give a whole number ${limits}.`)
  }
}
