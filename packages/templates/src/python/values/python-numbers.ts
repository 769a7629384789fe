import { fail, type PythonValue } from "./python-value.ts"

/** Larger integers would take too long to compute with. */
const MAX_BITS = 100_000n
const MAX_INTEGER = 1n << MAX_BITS

/** Returns a value as a number. Booleans are the integers 0 and 1. Returns undefined for any other value. */
export function pythonNumber(value: PythonValue): bigint | number | undefined {
  if (typeof value === "boolean") return value ? 1n : 0n
  return typeof value === "bigint" || typeof value === "number" ? value : undefined
}

/** Returns an integer as an index. @throws TemplateFailure if the value is not an integer */
export function indexOf(value: PythonValue): number {
  const number = pythonNumber(value)
  return typeof number === "bigint" ? Number(number) : fail("an index must be an integer")
}

/** Computes `+`, `-`, `*`, `/`, `//`, `%` or `**` of two numbers. Returns undefined for another operator. */
export function calculate(operator: string, left: bigint | number, right: bigint | number): PythonValue | undefined {
  if ((operator === "/" || operator === "//" || operator === "%") && Number(right) === 0) fail("division by zero")
  if (operator === "/") return Number(left) / Number(right)
  if (typeof left === "bigint" && typeof right === "bigint") return bounded(integers(operator, left, right))
  return floats(operator, Number(left), Number(right))
}

function bounded(value: PythonValue | undefined): PythonValue | undefined {
  if (typeof value === "bigint" && (value >= MAX_INTEGER || value <= -MAX_INTEGER)) fail("a number is too large")
  return value
}

function integers(operator: string, left: bigint, right: bigint): PythonValue | undefined {
  switch (operator) {
    case "+":
      return left + right
    case "-":
      return left - right
    case "*":
      return left * right
    case "//":
      return floorDivide(left, right)
    case "%":
      return left - right * floorDivide(left, right)
    case "**":
      return power(left, right)
    default:
      return undefined
  }
}

function floorDivide(left: bigint, right: bigint): bigint {
  const quotient = left / right
  return left % right !== 0n && left < 0n !== right < 0n ? quotient - 1n : quotient
}

function power(left: bigint, right: bigint): PythonValue {
  if (right < 0n) return floats("**", Number(left), Number(right)) ?? null
  if (BigInt(left.toString(2).length) * right > MAX_BITS) fail("a number is too large")
  return left ** right
}

function floats(operator: string, left: number, right: number): PythonValue | undefined {
  switch (operator) {
    case "+":
      return left + right
    case "-":
      return left - right
    case "*":
      return left * right
    case "//":
      return Math.floor(left / right)
    case "%":
      return left - right * Math.floor(left / right)
    case "**":
      if (left === 0 && right < 0) fail("0.0 cannot be raised to a negative power")
      return left ** right
    default:
      return undefined
  }
}
